// One vector core while it runs a block: its unified buffer, pipes, queues, registers, and what it did.
#pragma once

#include "buffers.h"
#include "data_cache.h"
#include "fault_log.h"
#include "gm.h"
#include "gm_log.h"
#include "order.h"
#include "ub.h"

#include <twin/run.h>

namespace twin {

class Meeting; // where cores wait for each other

// An instruction on its way through a pipe.
struct Instruction {
    Op op;
    Pipe pipe;
    Site site;
    uint32_t id;
};

struct VectorRegisters {
    bool counter = false; // the mask counts elements
    uint64_t mask[2] = {~uint64_t{0}, ~uint64_t{0}};
    uint64_t count = 0;
    uint64_t compare[2] = {};        // the compare mask, a bit a lane
    uint64_t compare_shadow[2] = {}; // 1: undefined
};

struct TransferRegisters {
    int atomic = 0; // 0 none, 1 add, 2 max, 3 min
    DType atomic_type = DType::kFloat;
    Site atomic_site;
    ScalarBits pad;
    bool pad_set = false;
};

struct Core {
    Core(const Launch& launch, Gm& gm, Meeting& meeting, int index);

    // The next instruction of a pipe, counted.
    Instruction issue(Op op, Pipe pipe, Site site);
    // "core 2, V, Compare: " and the sentence, as a fault. The instruction goes on.
    void fault(FaultKind kind, const Instruction& instruction, const std::string& sentence);
    void fault(FaultKind kind, Op op, Site site, const std::string& sentence);
    // Counts one more of a fault that has its sentence already; false where it needs one.
    bool again(FaultKind kind, const Instruction& instruction) {
        return faults.counted_again(kind, instruction.site);
    }

    const Launch& launch;
    Gm& gm;
    Meeting& meeting;
    const int index;
    Order order;
    Ub ub;
    Buffers buffers;
    DataCache cache;
    GmLog gm_log;
    VectorRegisters vector;
    TransferRegisters transfer;
    int kernel_type = -1;
    FaultLog faults;
    Counters counters;
    InstructionCount instructions[static_cast<int>(Op::kCount)] = {};
};

// The core that the calling thread runs.
Core& this_core();
void set_this_core(Core* core);

const char* name_of(Pipe pipe);
const char* name_of(DType type);
uint32_t bytes_of(DType type);

inline void Ub::read(Core& core, const Instruction& instruction, uint32_t address) {
    Block& block = storage_->blocks[address / kBlockBytes];
    if (held_[static_cast<size_t>(block.owner + 1)]) {
        held(core, instruction, block, address);
    }
    if (block.written != instruction.id &&
        !core.order.ordered(instruction.pipe, block.writer, block.written)) {
        hazard(core, instruction, false, block.writer, block.written, true, address);
    }
    block.read[static_cast<size_t>(instruction.pipe)] = instruction.id;
}

inline void Ub::write(Core& core, const Instruction& instruction, uint32_t address) {
    Block& block = storage_->blocks[address / kBlockBytes];
    if (held_[static_cast<size_t>(block.owner + 1)]) {
        held(core, instruction, block, address);
    }
    if (block.written != instruction.id &&
        !core.order.ordered(instruction.pipe, block.writer, block.written)) {
        hazard(core, instruction, true, block.writer, block.written, true, address);
    }
    for (size_t pipe = 0; pipe < kPipes; ++pipe) {
        const uint32_t id = block.read[pipe];
        if (id != instruction.id && !core.order.ordered(instruction.pipe, static_cast<Pipe>(pipe), id)) {
            hazard(core, instruction, true, static_cast<Pipe>(pipe), id, false, address);
        }
    }
    block.written = instruction.id;
    block.writer = instruction.pipe;
}

} // namespace twin
