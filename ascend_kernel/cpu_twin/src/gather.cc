// Gather by offsets, Gatherb of whole blocks, and GatherMask by a pattern of bits.
#include "vector_walk.h"

#include <algorithm>
#include <cstring>

namespace twin {

namespace {

// The offset of a lane; false where it may not be used.
bool offset_of(VectorWalk& walk, uint32_t at, uint32_t& offset) {
    Core& core = walk.core();
    if (any_undefined(core.ub.shadow() + at, 4)) {
        core.fault(FaultKind::kUninitialised, walk.instruction(),
                   "the offset at " + hex(at) +
                       " of the unified buffer is undefined; it must be written first");
        return false;
    }
    std::memcpy(&offset, core.ub.data() + at, 4);
    return true;
}

bool admit_element(VectorWalk& walk, const UbSpan& source, int64_t address, uint32_t bytes, uint32_t unit) {
    Core& core = walk.core();
    if (address % unit == 0 && address >= source.begin && address + bytes <= source.end) {
        return true;
    }
    core.fault(FaultKind::kGatherOffset, walk.instruction(),
               "an offset leads to bytes " + range(address, address + bytes) + "; the source has " +
                   range(source.begin, source.end) + ", and elements lie on multiples of " +
                   std::to_string(unit) + " B");
    return false;
}

// What was read of the source so far must not be what is written.
class Apart {
public:
    void read(uint32_t address, uint32_t bytes) {
        low_ = std::min(low_, address);
        high_ = std::max(high_, address + bytes);
    }
    void check(VectorWalk& walk, const VectorOperand& destination) const {
        const uint32_t begin = destination.place.address;
        const uint32_t end = begin + kBlockBytes * ((walk.repeats() - 1) * destination.repeat_stride.value +
                                                    7 * destination.block_stride.value + 1);
        walk.require(low_ >= end || high_ <= begin,
                     "the destination " + range(begin, end) + " and what is gathered, from " +
                         range(low_, high_) + ", overlap; they must be apart",
                     FaultKind::kOperandOverlap);
    }

private:
    uint32_t low_ = ~uint32_t{0};
    uint32_t high_ = 0;
};

} // namespace

void vector_gather(const VectorCall& call, VectorOperand destination, UbSpan source, UbSpan offsets,
                   uint32_t base) {
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    walk.require(size == 2 || size == 4,
                 std::string("gathers ") + name_of(call.type) + "; it has elements of 16 and 32 bits");
    if (!walk.admit(destination, size, "the destination", true)) {
        return;
    }
    const uint32_t lanes = walk.lanes_per_repeat();
    const uint64_t entries = uint64_t{lanes} * (walk.repeats() - 1) + walk.used(walk.repeats() - 1);
    if (!walk.admit_row(offsets, 4 * entries, "the offsets")) {
        return;
    }
    Core& core = walk.core();
    Register out{};
    Apart apart;
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        const LaneMask mask = walk.mask(repeat);
        for (uint32_t lane = 0; lane < walk.used(repeat); ++lane) {
            const uint32_t at = offsets.address + 4 * (repeat * lanes + lane);
            if (lane % 8 == 0) {
                core.ub.read(core, walk.instruction(), at);
            }
            uint32_t offset = 0;
            if (!mask.has(lane) || !offset_of(walk, at, offset)) {
                continue;
            }
            const int64_t address = int64_t{source.address} + base + offset;
            if (admit_element(walk, source, address, size, size)) {
                const uint32_t from = static_cast<uint32_t>(address);
                core.ub.read(core, walk.instruction(), from);
                apart.read(from, size);
                std::memcpy(out.value + lane * size, core.ub.data() + from, size);
                std::memcpy(out.shadow + lane * size, core.ub.shadow() + from, size);
            }
        }
        walk.store(destination, repeat, size, out);
    }
    apart.check(walk, destination);
}

void vector_gather_blocks(const VectorCall& call, VectorOperand destination, UbSpan source, UbSpan offsets) {
    const uint32_t size = bytes_of(call.type);
    VectorCall whole = call;
    whole.lanes = Lanes::first(kRepeatBytes / size);
    VectorWalk walk(whole, size);
    if (!walk.admit(destination, size, "the destination", true) ||
        !walk.admit_row(offsets, uint64_t{4} * 8 * walk.repeats(), "the offsets")) {
        return;
    }
    Core& core = walk.core();
    Register out{};
    Apart apart;
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        for (uint32_t block = 0; block < 8; ++block) {
            const uint32_t at = offsets.address + 4 * (repeat * 8 + block);
            core.ub.read(core, walk.instruction(), at);
            uint32_t offset = 0;
            if (!offset_of(walk, at, offset) ||
                !admit_element(walk, source, int64_t{source.address} + offset, kBlockBytes, kBlockBytes)) {
                continue;
            }
            const uint32_t from = source.address + offset;
            core.ub.read(core, walk.instruction(), from);
            apart.read(from, kBlockBytes);
            std::memcpy(out.value + block * kBlockBytes, core.ub.data() + from, kBlockBytes);
            std::memcpy(out.shadow + block * kBlockBytes, core.ub.shadow() + from, kBlockBytes);
        }
        walk.store(destination, repeat, size, out);
    }
    apart.check(walk, destination);
}

namespace {

// Patterns 1 to 7: even lanes, odd lanes, each fourth from the first to the fourth on, all.
bool chosen(uint8_t pattern, uint32_t lane) {
    switch (pattern) {
    case 1:
    case 2: return lane % 2 == pattern - 1u;
    case 7: return true;
    default: return lane % 4 == pattern - 3u;
    }
}

} // namespace

// The result is dense. In counter mode each repeat has as many lanes as the mask says, several repeats of 256
// B where it must be; otherwise 256 B.
uint64_t vector_gather_mask(const VectorCall& call, UbSpan destination, VectorOperand source,
                            const UbSpan* pattern, uint8_t fixed, Field8 pattern_stride, bool counter) {
    const uint32_t size = bytes_of(call.type);
    const uint32_t lanes = kRepeatBytes / size;
    const uint64_t each = counter ? call.lanes.count : lanes;
    VectorCall whole = call;
    whole.lanes = Lanes::first(lanes);
    this_core().vector.counter = false;
    VectorWalk walk(whole, size);
    reset_vector_mask();
    walk.require(size == 2 || size == 4,
                 std::string("gathers ") + name_of(call.type) + "; it has elements of 16 and 32 bits");
    walk.require(pattern != nullptr || (fixed >= 1 && fixed <= 7),
                 "the pattern is " + std::to_string(fixed) + "; it must lie in [1, 7]",
                 FaultKind::kUnsupportedMode);
    walk.require(each > 0, "the mask counts no element; it must count 1 or more", FaultKind::kMaskRange);
    Core& core = walk.core();
    if (each == 0 || walk.repeats() == 0 ||
        !core.ub.aligned(core, walk.instruction(), source.place, "the source") ||
        !core.ub.aligned(core, walk.instruction(), destination, "the destination")) {
        return 0;
    }
    uint64_t kept = 0;
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        for (uint64_t lane = 0; lane < each; ++lane) {
            const uint64_t block = lane * size / kBlockBytes;
            const int64_t from =
                source.place.address +
                int64_t{kBlockBytes} * (int64_t{repeat} * source.repeat_stride.value +
                                        static_cast<int64_t>(block) * source.block_stride.value) +
                static_cast<int64_t>(lane * size % kBlockBytes);
            const int64_t to = destination.address + static_cast<int64_t>(kept * size);
            bool take = pattern == nullptr && chosen(fixed, static_cast<uint32_t>(lane));
            if (pattern != nullptr) {
                const int64_t bit =
                    int64_t{repeat} * pattern_stride.value * kBlockBytes * 8 + static_cast<int64_t>(lane);
                const int64_t at = pattern->address + bit / 8;
                if (!core.ub.admit(core, walk.instruction(), *pattern, at, at + 1, "the pattern")) {
                    return kept;
                }
                core.ub.read(core, walk.instruction(), static_cast<uint32_t>(at));
                if ((core.ub.shadow()[at] >> (bit % 8) & 1) != 0) {
                    core.fault(FaultKind::kUninitialised, walk.instruction(),
                               "the pattern's bit at byte " + hex(static_cast<uint64_t>(at)) +
                                   " is undefined");
                }
                take = (core.ub.data()[at] >> (bit % 8) & 1) != 0;
            }
            if (!take) {
                continue;
            }
            if (!core.ub.admit(core, walk.instruction(), source.place, from, from + size, "the source") ||
                !core.ub.admit(core, walk.instruction(), destination, to, to + size, "the destination")) {
                return kept;
            }
            core.ub.read(core, walk.instruction(), static_cast<uint32_t>(from));
            core.ub.write(core, walk.instruction(), static_cast<uint32_t>(to));
            std::memmove(core.ub.data() + to, core.ub.data() + from, size);
            std::memmove(core.ub.shadow() + to, core.ub.shadow() + from, size);
            ++kept;
        }
    }
    return kept;
}

} // namespace twin
