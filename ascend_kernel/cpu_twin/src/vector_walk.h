// A vector instruction's way through its repeats: which lanes take part, bounds and order of every operand,
// and registers of 256 B that carry values and which of their bits are defined.
#pragma once

#include "core.h"

#include <cstdint>

namespace twin {

struct LaneMask {
    uint64_t bits[2] = {}; // lane i: bit i % 64 of word i / 64

    bool has(uint32_t lane) const { return (bits[lane / 64] >> (lane % 64) & 1) != 0; }
};

struct Register {
    alignas(32) uint8_t value[kRepeatBytes];
    alignas(32) uint8_t shadow[kRepeatBytes]; // 1: undefined
    bool undefined;                           // any of them
};

class VectorWalk {
public:
    // `widest` is the size of the widest operand's elements: a repeat has 256 B of them.
    VectorWalk(const VectorCall& call, uint32_t widest);

    Core& core() { return core_; }
    const Instruction& instruction() const { return instruction_; }
    uint32_t lanes_per_repeat() const { return lanes_; }
    uint32_t repeats() const { return repeats_; }
    LaneMask mask(uint32_t repeat) const;
    // Lanes of a repeat up to the last that takes part.
    uint32_t used(uint32_t repeat) const;

    // Alignment, strides and bounds of an operand; false where the instruction cannot run.
    bool admit(const VectorOperand& operand, uint32_t lane_bytes, const char* what, bool writes);
    // Room for `bytes` in a row, as Compare's result.
    bool admit_row(const UbSpan& place, uint64_t bytes, const char* what);

    void load(const VectorOperand& operand, uint32_t repeat, uint32_t lane_bytes, Register& out);
    void store(const VectorOperand& operand, uint32_t repeat, uint32_t lane_bytes, const Register& in);
    // Several sums into one block, repeat after repeat, which the destination's stride 0 asks for.
    void allow_accumulation() { accumulates_ = true; }

    // A fault otherwise; an unsupported type computes nothing.
    void require(bool supported, const std::string& sentence, FaultKind kind = FaultKind::kUnsupportedType);

private:
    uint32_t address(const VectorOperand& operand, uint32_t repeat, uint32_t block) const {
        return operand.place.address +
               kBlockBytes * (repeat * operand.repeat_stride.value + block * operand.block_stride.value);
    }
    void check_overlap(uint32_t to, uint32_t block, uint32_t lane_bytes);
    void resolve(const VectorCall& call);
    void resolve_mask(const VectorCall& call, const Lanes& lanes);

    struct Source {
        uint32_t address[8];
        uint32_t blocks;
        uint32_t low, high;
        uint32_t lane_bytes;
    };

    Core& core_;
    Instruction instruction_;
    uint32_t lanes_;
    uint32_t repeats_ = 0;
    uint64_t count_ = 0; // elements in all, where they are counted
    bool counted_ = false;
    LaneMask every_;
    bool accumulates_ = false;
    Source sources_[2];
    uint32_t source_count_ = 0;
    uint32_t source_repeat_ = 0;
};

// Lane by lane: a lane of the result is undefined where one of the sources is.
void merge_shadows(const Register& a, const Register* b, uint32_t lane_bytes, Register& out);
// A lane with one undefined bit is undefined as a whole.
inline void spread_undefined(Register& lanes, uint32_t lane_bytes) {
    merge_shadows(lanes, nullptr, lane_bytes, lanes);
}

} // namespace twin
