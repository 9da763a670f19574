// DataCopy and DataCopyPad between global memory and the unified buffer, and within it.
#include "counting.h"
#include "transfer.h"

#include <algorithm>
#include <cstring>

namespace twin {

namespace {

uint32_t in_blocks(uint64_t bytes) {
    return static_cast<uint32_t>((bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes);
}

// What a block of a transfer into the unified buffer looks like there.
struct Slot {
    uint32_t left;  // bytes of padding in front
    uint32_t data;  // bytes that come from global memory
    uint32_t right; // bytes of padding behind
    uint32_t all;   // with what fills the last block of 32 B
};

void fill(uint8_t* bytes, uint8_t* shadow, uint32_t count, DType type, const ScalarBits& value,
          bool defined) {
    if (defined) {
        const uint32_t size = bytes_of(type);
        for (uint32_t i = 0; i < count; ++i) {
            bytes[i] = static_cast<uint8_t>(value.bits >> (8 * (i % size)));
        }
    }
    std::memset(shadow, defined ? 0x00 : 0xff, count);
}

Slot slot_of(Core& core, const Instruction& instruction, const Transfer& transfer, const Padding& padding) {
    const uint32_t size = bytes_of(transfer.type);
    Slot slot{padding.left.value * size, transfer.block_bytes.value, padding.right.value * size, 0};
    if (padding.left.wrapped || padding.right.wrapped || slot.left > kBlockBytes ||
        slot.right > kBlockBytes) {
        core.fault(FaultKind::kDmaLimit, instruction,
                   "padding is " + std::to_string(padding.left.value) + " and " +
                       std::to_string(padding.right.value) + " elements of " + std::to_string(size) +
                       " B; at most 32 B go to either side");
    }
    slot.all = in_blocks(slot.left + slot.data + slot.right);
    return slot;
}

// Moves pieces of global memory, and which of their bits are defined, one behind the other.
void gather(Region& region, const Pieces& pieces, uint8_t* data, uint8_t* shadow) {
    const size_t bytes = static_cast<size_t>(pieces.bytes);
    for (uint32_t i = 0; i < pieces.count; ++i, data += bytes, shadow += bytes) {
        std::memcpy(data, region.base + pieces.at(i), bytes);
        if (region.writable()) {
            std::memcpy(shadow, region.shadow_at(pieces.at(i)), bytes);
        } else {
            std::memset(shadow, 0, bytes);
        }
    }
}

} // namespace

void copy_in(UbSpan destination, GmSpan source, const Transfer& transfer, const Padding& padding, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(transfer.op, Pipe::kMte2, site);
    if (!admit_transfer(core, instruction, transfer)) {
        return;
    }
    const bool aligned = core.ub.aligned(core, instruction, destination, "the destination");
    const Pieces pieces{source.region, source.offset, transfer.block_bytes.value,
                        transfer.block_bytes.value + transfer.gm_gap, transfer.blocks.value};
    Padding pad = padding;
    if (!pad.defined && core.transfer.pad_set) {
        pad.defined = true;
        pad.value = core.transfer.pad;
    }
    Slot slot = slot_of(core, instruction, transfer, pad);
    uint32_t slots = pieces.count;
    if (pad.compact) {
        const uint32_t all = static_cast<uint32_t>(pieces.bytes) * pieces.count;
        slot = {0, all, 0, in_blocks(all)};
        slots = 1;
    }
    const int64_t step = slot.all + transfer.ub_gap * static_cast<int64_t>(kBlockBytes);
    const int64_t end = destination.address + step * (slots - 1) + slot.all;
    const bool inside =
        core.ub.admit(core, instruction, destination, destination.address, end, "the destination");
    if (!admit_gm(core, instruction, pieces, false) || !inside || !aligned) {
        return;
    }
    core.cache.check_transfer(core, instruction, pieces);
    Region& region = *core.gm.region(pieces.region);
    if (region.writable()) {
        core.gm_log.add(core, instruction, pieces, GmUse::kRead);
    }
    ++core.counters.read.transfers;
    count_bursts(core.counters.read, pieces.begin, pieces.bytes, pieces.step, pieces.count);
    // Padding that nobody asked for holds the block's first element, or anything: undefined here.
    const bool filled = pad.defined && (pad.left.value > 0 || pad.right.value > 0 || pad.compact);
    for (uint32_t i = 0; i < slots; ++i) {
        const uint32_t address = static_cast<uint32_t>(destination.address + step * i);
        core.ub.write_range(core, instruction, address, address + slot.all);
        uint8_t* data = core.ub.data() + address;
        uint8_t* shadow = core.ub.shadow() + address;
        fill(data, shadow, slot.left, transfer.type, pad.value, filled);
        const Pieces piece = pad.compact ? pieces : Pieces{pieces.region, pieces.at(i), pieces.bytes, 0, 1};
        gather(region, piece, data + slot.left, shadow + slot.left);
        const uint32_t used = slot.left + slot.data;
        fill(data + used, shadow + used, slot.all - used, transfer.type, pad.value, filled);
    }
}

void copy_out(GmSpan destination, UbSpan source, const Transfer& transfer, bool compact, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(transfer.op, Pipe::kMte3, site);
    if (!admit_transfer(core, instruction, transfer)) {
        return;
    }
    const bool aligned = core.ub.aligned(core, instruction, source, "the source");
    const uint32_t bytes = transfer.block_bytes.value;
    const Pieces pieces{destination.region, destination.offset, bytes, bytes + transfer.gm_gap,
                        transfer.blocks.value};
    const int64_t step =
        compact ? bytes : in_blocks(bytes) + transfer.ub_gap * static_cast<int64_t>(kBlockBytes);
    const int64_t end = source.address + step * (pieces.count - 1) + bytes;
    const bool inside = core.ub.admit(core, instruction, source, source.address, end, "the source");
    if (!admit_gm(core, instruction, pieces, true) || !inside || !aligned) {
        return;
    }
    core.cache.check_transfer(core, instruction, pieces);
    Region& region = *core.gm.region(pieces.region);
    const bool atomic = core.transfer.atomic != 0;
    if (atomic && core.transfer.atomic_type != transfer.type) {
        core.fault(FaultKind::kAtomicType, instruction,
                   std::string("moves ") + name_of(transfer.type) + " while the atomic mode of line " +
                       std::to_string(core.transfer.atomic_site.line) + " is on for " +
                       name_of(core.transfer.atomic_type) +
                       "; the types must agree, or SetAtomicNone must come first");
    }
    const bool rounds =
        core.transfer.atomic == 1 && (transfer.type == DType::kFloat || transfer.type == DType::kHalf ||
                                      transfer.type == DType::kBfloat16);
    core.gm_log.add(core, instruction, pieces,
                    !atomic  ? GmUse::kWrite
                    : rounds ? GmUse::kSum
                             : GmUse::kAtomic);
    ++core.counters.written.transfers;
    count_bursts(core.counters.written, pieces.begin, pieces.bytes, pieces.step, pieces.count);
    for (uint32_t i = 0; i < pieces.count; ++i) {
        const uint32_t address = static_cast<uint32_t>(source.address + step * i);
        core.ub.read_range(core, instruction, address, address + bytes);
        const uint8_t* shadow = core.ub.shadow() + address;
        if (!region.is_workspace && any_undefined(shadow, bytes) &&
            !core.again(FaultKind::kUninitialised, instruction)) {
            const uint8_t* first =
                std::find_if(shadow, shadow + bytes, [](uint8_t bits) { return bits != 0; });
            core.fault(FaultKind::kUninitialised, instruction,
                       "writes undefined bits to '" + region.name + "' at " +
                           hex(static_cast<uint64_t>(pieces.at(i) + (first - shadow))) + ", from byte " +
                           hex(address + static_cast<uint64_t>(first - shadow)) +
                           " of the unified buffer; every bit of an output must come from defined ones");
        }
        if (atomic) {
            if (any_undefined(region.shadow_at(pieces.at(i)), bytes)) {
                core.fault(
                    FaultKind::kUninitialised, instruction,
                    "adds to '" + region.name + "' at " + hex(static_cast<uint64_t>(pieces.at(i))) +
                        ", which holds nothing yet; an atomic mode adds to what is there and clears nothing");
            }
            combine(core, transfer, region.base + pieces.at(i), core.ub.data() + address, bytes);
        } else {
            std::memcpy(region.base + pieces.at(i), core.ub.data() + address, bytes);
            std::memcpy(region.shadow_at(pieces.at(i)), shadow, bytes);
        }
    }
}

void copy_local(UbSpan destination, UbSpan source, Transfer transfer, int64_t source_gap, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kDataCopy, Pipe::kV, site);
    if (!admit_transfer(core, instruction, transfer) ||
        !core.ub.aligned(core, instruction, destination, "the destination") ||
        !core.ub.aligned(core, instruction, source, "the source")) {
        return;
    }
    const uint32_t bytes = transfer.block_bytes.value;
    const uint32_t count = transfer.blocks.value;
    const int64_t to_step = bytes + transfer.ub_gap * static_cast<int64_t>(kBlockBytes);
    const int64_t from_step = bytes + source_gap * static_cast<int64_t>(kBlockBytes);
    const int64_t to_end = destination.address + to_step * (count - 1) + bytes;
    const int64_t from_end = source.address + from_step * (count - 1) + bytes;
    if (!core.ub.admit(core, instruction, destination, destination.address, to_end, "the destination") ||
        !core.ub.admit(core, instruction, source, source.address, from_end, "the source")) {
        return;
    }
    if (destination.address != source.address && destination.address < from_end && source.address < to_end) {
        core.fault(FaultKind::kOperandOverlap, instruction,
                   "source " + range(source.address, from_end) + " and destination " +
                       range(destination.address, to_end) + " overlap in part; they must be apart");
    }
    const uint64_t repeats = (static_cast<uint64_t>(bytes) * count + kRepeatBytes - 1) / kRepeatBytes;
    core.counters.vector_repeats += repeats;
    ++core.counters.vector_instructions;
    core.instructions[static_cast<int>(Op::kDataCopy)].repeats += repeats;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t from = static_cast<uint32_t>(source.address + from_step * i);
        const uint32_t to = static_cast<uint32_t>(destination.address + to_step * i);
        core.ub.read_range(core, instruction, from, from + bytes);
        core.ub.write_range(core, instruction, to, to + bytes);
        std::memmove(core.ub.data() + to, core.ub.data() + from, bytes);
        std::memmove(core.ub.shadow() + to, core.ub.shadow() + from, bytes);
    }
}

void set_pad_value(DType, ScalarBits value) {
    TransferRegisters& registers = this_core().transfer;
    registers.pad = value;
    registers.pad_set = true;
}

void set_atomic(int mode, DType type, Site site) {
    TransferRegisters& registers = this_core().transfer;
    registers.atomic = mode;
    registers.atomic_type = type;
    registers.atomic_site = site;
}

} // namespace twin
