#include "ub.h"

#include "core.h"

#include <algorithm>

namespace twin {

namespace {

constexpr uint8_t kPoison = 0xfb; // as half and float a large negative number, as an offset far outside

} // namespace

Ub::Ub(uint32_t bytes)
    : size_(bytes), data_(new uint8_t[bytes]), shadow_(new uint8_t[bytes]), blocks_(bytes / kBlockBytes) {
    poison(0, size_);
}

void Ub::poison(uint32_t address, uint32_t end) {
    std::fill(data_.get() + address, data_.get() + end, kPoison);
    std::fill(shadow_.get() + address, shadow_.get() + end, uint8_t{0xff});
}

void Ub::set_owner(uint32_t address, uint32_t end, int index) {
    for (uint32_t block = address / kBlockBytes; block < std::min(end, size_) / kBlockBytes; ++block) {
        blocks_[block].owner = static_cast<int16_t>(index);
    }
}

bool Ub::aligned(Core& core, const Instruction& instruction, const UbSpan& place, const char* what) {
    if (place.address % kBlockBytes == 0) {
        return true;
    }
    core.fault(FaultKind::kUbUnaligned, instruction,
               std::string(what) + " begins at " + hex(place.address) +
                   " of the unified buffer; it must begin on 32 B");
    return false;
}

bool Ub::admit(Core& core, const Instruction& instruction, const UbSpan& place, int64_t low, int64_t high,
               const char* what) {
    if (low >= high || (low >= place.begin && high <= place.end && high <= size_)) {
        return true;
    }
    const bool inside = low >= 0 && high <= size_;
    core.fault(FaultKind::kUbOutOfBounds, instruction,
               std::string(what) + " touches bytes " + range(low, high) +
                   " of the unified buffer; its tensor has " + range(place.begin, place.end) +
                   (inside ? "" : ", the unified buffer " + range(0, size_)));
    return inside;
}

void Ub::check_owner(Core& core, const Instruction& instruction, const Block& block, uint32_t address) {
    if (block.owner < 0) {
        return;
    }
    const BufferState state = core.buffers.state(block.owner);
    if ((state == BufferState::kFree || state == BufferState::kQueued) &&
        core.again(FaultKind::kUseAfterFree, instruction)) {
        return;
    }
    if (state == BufferState::kFree) {
        core.fault(FaultKind::kUseAfterFree, instruction,
                   "touches byte " + hex(address) +
                       " of the unified buffer, whose queue holds it as free; "
                       "a tensor may be used from AllocTensor to EnQue and from DeQue to FreeTensor");
    } else if (state == BufferState::kQueued) {
        core.fault(FaultKind::kUseAfterFree, instruction,
                   "touches byte " + hex(address) +
                       " of the unified buffer, which waits in its queue; "
                       "a tensor may be used again after DeQue");
    }
}

void Ub::hazard(Core& core, const Instruction& instruction, bool writes, Pipe earlier, uint32_t id,
                bool earlier_writes, uint32_t address) {
    const FaultKind kind = earlier != instruction.pipe ? FaultKind::kMissingFlag
                           : earlier == Pipe::kV       ? FaultKind::kMissingBarrier
                                                       : FaultKind::kDmaOverlap;
    if (core.again(kind, instruction)) {
        return;
    }
    const Order::Issued before = core.order.issued(id);
    std::string which = std::string(name_of(earlier));
    if (before.line > 0) {
        which += std::string(" (") + name_of(before.op) + ", line " + std::to_string(before.line) + ")";
    }
    const std::string cure =
        kind == FaultKind::kMissingFlag
            ? std::string("needs SetFlag and WaitFlag<") + name_of(earlier) + "_" +
                  name_of(instruction.pipe) + "> or a queue between them"
            : std::string("needs PipeBarrier<PIPE_") + name_of(earlier) + "> between them";
    core.fault(kind, instruction,
               std::string(writes ? "writes" : "reads") + " the block at " + hex(address) +
                   " of the unified buffer, which " + which + (earlier_writes ? " writes" : " reads") +
                   " and may not be done with; it " + cure);
}

void Ub::read(Core& core, const Instruction& instruction, uint32_t address) {
    Block& block = blocks_[address / kBlockBytes];
    check_owner(core, instruction, block, address);
    if (block.written != instruction.id &&
        !core.order.ordered(instruction.pipe, block.writer, block.written)) {
        hazard(core, instruction, false, block.writer, block.written, true, address);
    }
    block.read[static_cast<int>(instruction.pipe)] = instruction.id;
}

void Ub::write(Core& core, const Instruction& instruction, uint32_t address) {
    Block& block = blocks_[address / kBlockBytes];
    check_owner(core, instruction, block, address);
    if (block.written != instruction.id &&
        !core.order.ordered(instruction.pipe, block.writer, block.written)) {
        hazard(core, instruction, true, block.writer, block.written, true, address);
    }
    for (int pipe = 0; pipe < kPipes; ++pipe) {
        const uint32_t id = block.read[pipe];
        if (id != instruction.id && !core.order.ordered(instruction.pipe, static_cast<Pipe>(pipe), id)) {
            hazard(core, instruction, true, static_cast<Pipe>(pipe), id, false, address);
        }
    }
    block.written = instruction.id;
    block.writer = instruction.pipe;
}

void Ub::read_range(Core& core, const Instruction& instruction, uint32_t low, uint32_t high) {
    for (uint32_t address = low / kBlockBytes * kBlockBytes; address < high; address += kBlockBytes) {
        read(core, instruction, address);
    }
}

void Ub::write_range(Core& core, const Instruction& instruction, uint32_t low, uint32_t high) {
    for (uint32_t address = low / kBlockBytes * kBlockBytes; address < high; address += kBlockBytes) {
        write(core, instruction, address);
    }
}

bool any_undefined(const uint8_t* shadow, size_t bytes) {
    size_t i = 0;
    uint64_t any = 0;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t word;
        std::memcpy(&word, shadow + i, 8);
        any |= word;
    }
    for (; i < bytes; ++i) {
        any |= shadow[i];
    }
    return any != 0;
}

} // namespace twin
