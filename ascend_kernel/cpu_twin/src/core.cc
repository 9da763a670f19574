#include "core.h"

#include <array>

namespace twin {

namespace {

thread_local Core* g_core = nullptr;

std::string place(Op op, Site site, const Core& core, const char* pipe) {
    std::string out = "core " + std::to_string(core.index) + ", ";
    if (pipe != nullptr) {
        out += std::string(pipe) + ", ";
    }
    out += name_of(op);
    if (site.line > 0) {
        out += " at line " + std::to_string(site.line);
    }
    return out + ": ";
}

} // namespace

Core& this_core() {
    return *g_core;
}

void set_this_core(Core* core) {
    g_core = core;
}

Core::Core(const Launch& launch, Gm& gm, Meeting& meeting, int index)
    : launch(launch), gm(gm), meeting(meeting), index(index),
      order(launch.soc.arch == 3510, launch.automatic_sync), ub(launch.soc.ub_bytes) {}

Instruction Core::issue(Op op, Pipe pipe, Site site) {
    ++instructions[static_cast<int>(op)].instructions;
    return {op, pipe, site, order.issue(pipe, op, site)};
}

void Core::fault(FaultKind kind, const Instruction& instruction, const std::string& sentence) {
    if (!faults.counted_again(kind, instruction.site)) {
        faults.add(kind, index, instruction.site,
                   place(instruction.op, instruction.site, *this, name_of(instruction.pipe)) + sentence);
    }
}

void Core::fault(FaultKind kind, Op op, Site site, const std::string& sentence) {
    if (!faults.counted_again(kind, site)) {
        faults.add(kind, index, site, place(op, site, *this, nullptr) + sentence);
    }
}

const char* name_of(Pipe pipe) {
    constexpr std::array<const char*, kPipes> names{"S", "V", "MTE2", "MTE3"};
    return names[static_cast<size_t>(pipe)];
}

const char* name_of(DType type) {
    constexpr std::array<const char*, 11> names{"half",     "float",   "bfloat16_t", "int8_t",
                                                "uint8_t",  "int16_t", "uint16_t",   "int32_t",
                                                "uint32_t", "int64_t", "uint64_t"};
    return names[static_cast<size_t>(type)];
}

uint32_t bytes_of(DType type) {
    constexpr std::array<uint32_t, 11> bytes{2, 4, 2, 1, 1, 2, 2, 4, 4, 8, 8};
    return bytes[static_cast<size_t>(type)];
}

} // namespace twin
