// GetValue and SetValue, and the scalar unit's cache.
#include "transfer.h"

#include <cstring>

namespace twin {

namespace {

// Bounds, alignment to the element, and order; false where the access must not happen.
bool admit(Core& core, const Instruction& instruction, const UbSpan& tensor, uint64_t offset,
           uint32_t bytes) {
    const int64_t address = static_cast<int64_t>(tensor.address + offset);
    if (address % bytes != 0) {
        core.fault(FaultKind::kUbUnaligned, instruction,
                   "an element of " + std::to_string(bytes) + " B at " + hex(static_cast<uint64_t>(address)) +
                       " of the unified buffer; it must lie on a multiple of its size");
        return false;
    }
    return core.ub.admit(core, instruction, tensor, address, address + bytes, "the element");
}

} // namespace

uint64_t load_scalar(UbSpan tensor, uint64_t offset, uint32_t bytes, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kGetValue, Pipe::kS, site);
    ++core.counters.scalar_ops;
    if (!admit(core, instruction, tensor, offset, bytes)) {
        return 0;
    }
    const uint32_t address = static_cast<uint32_t>(tensor.address + offset);
    core.ub.read(core, instruction, address);
    if (any_undefined(core.ub.shadow() + address, bytes)) {
        core.fault(FaultKind::kUninitialised, instruction,
                   "reads undefined bits at " + hex(address) +
                       " of the unified buffer; they must be written first");
    }
    uint64_t bits = 0;
    std::memcpy(&bits, core.ub.data() + address, bytes);
    return bits;
}

void store_scalar(UbSpan tensor, uint64_t offset, uint32_t bytes, uint64_t bits, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kSetValue, Pipe::kS, site);
    ++core.counters.scalar_ops;
    if (!admit(core, instruction, tensor, offset, bytes)) {
        return;
    }
    const uint32_t address = static_cast<uint32_t>(tensor.address + offset);
    core.ub.write(core, instruction, address);
    std::memcpy(core.ub.data() + address, &bits, bytes);
    std::memset(core.ub.shadow() + address, 0, bytes);
}

uint64_t load_scalar(GmSpan tensor, uint32_t bytes, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kGetValue, Pipe::kS, site);
    ++core.counters.scalar_ops;
    const Pieces piece{tensor.region, tensor.offset, bytes, 0, 1};
    if (!admit_gm(core, instruction, piece, false)) {
        return 0;
    }
    if (core.gm.region(tensor.region)->writable()) {
        core.gm_log.add(core, instruction, piece, GmUse::kRead);
    }
    return core.cache.load(core, instruction, tensor, bytes);
}

void store_scalar(GmSpan tensor, uint32_t bytes, uint64_t bits, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kSetValue, Pipe::kS, site);
    ++core.counters.scalar_ops;
    if (admit_gm(core, instruction, {tensor.region, tensor.offset, bytes, 0, 1}, true)) {
        core.cache.store(core, instruction, tensor, bytes, bits);
    }
}

void clean_cache(GmSpan tensor, bool entire, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kDataCacheCleanAndInvalid, Pipe::kS, site);
    if (entire) {
        core.cache.clean_all(core, instruction);
    } else if (core.gm.region(tensor.region) != nullptr) {
        core.cache.clean(core, instruction, tensor);
    }
}

GmSpan place_of(const void* address) {
    return this_core().gm.place_of(address);
}

uint8_t* address_of(GmSpan place) {
    return this_core().gm.address_of(place);
}

} // namespace twin
