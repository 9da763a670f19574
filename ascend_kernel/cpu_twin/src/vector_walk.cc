#include "vector_walk.h"

#include <algorithm>
#include <cstring>

namespace twin {

namespace {

LaneMask first_lanes(uint64_t count) {
    const auto ones = [](uint64_t n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; };
    return {{ones(count), count > 64 ? ones(count - 64) : 0}};
}

} // namespace

VectorWalk::VectorWalk(const VectorCall& call, uint32_t widest)
    : core_(this_core()), instruction_(core_.issue(call.op, Pipe::kV, call.site)),
      lanes_(kRepeatBytes / widest) {
    resolve(call);
    core_.counters.vector_repeats += repeats_;
    ++core_.counters.vector_instructions;
    core_.instructions[static_cast<int>(call.op)].repeats += repeats_;
}

void VectorWalk::resolve(const VectorCall& call) {
    VectorRegisters& registers = core_.vector;
    Lanes lanes = call.lanes;
    if (lanes_ > 128 || lanes_ < 64) {
        return; // elements of 8 or 64 bits, which the caller refuses
    }
    if (lanes.negative) {
        core_.fault(FaultKind::kMaskRange, instruction_, "the count is negative; it must be 0 or more");
    }
    if (lanes.kind == Lanes::Kind::kRegister && registers.counter) {
        lanes = Lanes::counted(static_cast<int64_t>(registers.count));
    } else if (lanes.kind == Lanes::Kind::kCount) {
        registers.counter = false; // the form with a count leaves a full mask behind
        reset_vector_mask();
    } else if (lanes.kind != Lanes::Kind::kRegister && registers.counter) {
        core_.fault(
            FaultKind::kMaskMode, instruction_,
            "sets a mask while the mask register counts elements; SetMaskNorm must come first, or the "
            "template argument isSetMask must be false");
    }
    if (lanes.kind == Lanes::Kind::kCount) {
        counted_ = true;
        count_ = lanes.count;
        repeats_ = static_cast<uint32_t>((count_ + lanes_ - 1) / lanes_);
        return;
    }
    resolve_mask(call, lanes);
}

void VectorWalk::resolve_mask(const VectorCall& call, const Lanes& lanes) {
    VectorRegisters& registers = core_.vector;
    repeats_ = call.repeats.value;
    if (call.repeats.wrapped || call.repeats.value == 0) {
        core_.fault(FaultKind::kRepeatWrapped, instruction_,
                    std::string(call.repeats.wrapped ? "the repeat count does not fit its 8 bits and becomes "
                                                     : "the repeat count is ") +
                        std::to_string(call.repeats.value) + "; it must lie in [1, 255]");
    }
    if (lanes.kind == Lanes::Kind::kFirst) {
        every_ = first_lanes(std::min<uint64_t>(lanes.count, lanes_));
    } else if (lanes.kind == Lanes::Kind::kBits) {
        every_ = {{lanes.bits[0], lanes_ > 64 ? lanes.bits[1] : 0}};
    } else {
        every_ = {{registers.mask[0], lanes_ > 64 ? registers.mask[1] : 0}};
    }
    registers.mask[0] = every_.bits[0]; // an instruction's mask stays for those that set none
    registers.mask[1] = every_.bits[1];
    const bool too_many = lanes.kind == Lanes::Kind::kFirst && lanes.count > lanes_;
    if (too_many || (every_.bits[0] | every_.bits[1]) == 0) {
        core_.fault(FaultKind::kMaskRange, instruction_,
                    too_many ? "the mask has " + std::to_string(lanes.count) + " lanes; a repeat has " +
                                   std::to_string(lanes_)
                             : "the mask has no lane; it must have 1 to " + std::to_string(lanes_));
    }
}

LaneMask VectorWalk::mask(uint32_t repeat) const {
    return counted_ ? first_lanes(std::min<uint64_t>(count_ - uint64_t{repeat} * lanes_, lanes_)) : every_;
}

uint32_t VectorWalk::used(uint32_t repeat) const {
    const LaneMask lanes = mask(repeat);
    return lanes.bits[1] != 0   ? 128 - static_cast<uint32_t>(__builtin_clzll(lanes.bits[1]))
           : lanes.bits[0] != 0 ? 64 - static_cast<uint32_t>(__builtin_clzll(lanes.bits[0]))
                                : 0;
}

void VectorWalk::require(bool supported, const std::string& sentence, FaultKind kind) {
    if (!supported) {
        core_.fault(kind, instruction_, sentence);
        repeats_ = kind == FaultKind::kUnsupportedType ? 0 : repeats_;
    }
}

bool VectorWalk::admit(const VectorOperand& operand, uint32_t lane_bytes, const char* what, bool writes) {
    if (repeats_ == 0) {
        return false;
    }
    if (operand.block_stride.wrapped || operand.repeat_stride.wrapped) {
        core_.fault(FaultKind::kStrideWrapped, instruction_,
                    std::string("a stride of ") + what + " does not fit its field and becomes " +
                        std::to_string(operand.block_stride.value) + " within and " +
                        std::to_string(operand.repeat_stride.value) +
                        " between repeats; 8 bits hold 0 to 255");
    }
    const uint32_t blocks = (used(0) * lane_bytes + kBlockBytes - 1) / kBlockBytes;
    if (writes && !accumulates_ &&
        ((operand.block_stride.value == 0 && blocks > 1) ||
         (operand.repeat_stride.value == 0 && repeats_ > 1))) {
        core_.fault(FaultKind::kStrideWrapped, instruction_,
                    std::string("a stride of ") + what +
                        " is 0, so all blocks go to one place; it must be 1 or more");
    }
    if (!core_.ub.aligned(core_, instruction_, operand.place, what)) {
        return false;
    }
    int64_t high = 0;
    const auto end_of = [&](uint32_t repeat) {
        const uint32_t lanes = used(repeat);
        const int64_t last = (static_cast<int64_t>(lanes) * lane_bytes - 1) / kBlockBytes;
        const int64_t first = int64_t{repeat} * operand.repeat_stride.value;
        const int64_t in_last = static_cast<int64_t>(lanes) * lane_bytes - last * kBlockBytes;
        return lanes == 0
                   ? int64_t{0}
                   : std::max((first + last * operand.block_stride.value) * kBlockBytes + in_last,
                              last > 0 ? (first + (last - 1) * operand.block_stride.value + 1) * kBlockBytes
                                       : int64_t{0});
    };
    high = std::max(end_of(repeats_ - 1), repeats_ > 1 ? end_of(repeats_ - 2) : int64_t{0});
    return core_.ub.admit(core_, instruction_, operand.place, operand.place.address,
                          operand.place.address + high, what);
}

bool VectorWalk::admit_row(const UbSpan& place, uint64_t bytes, const char* what) {
    return repeats_ > 0 && core_.ub.aligned(core_, instruction_, place, what) &&
           core_.ub.admit(core_, instruction_, place, place.address,
                          static_cast<int64_t>(place.address + bytes), what);
}

void VectorWalk::load(const VectorOperand& operand, uint32_t repeat, uint32_t lane_bytes, Register& out) {
    if (source_repeat_ != repeat || source_count_ == 2) {
        source_count_ = 0;
        source_repeat_ = repeat;
    }
    Source& source = sources_[source_count_++];
    source.lane_bytes = lane_bytes;
    source.blocks = (used(repeat) * lane_bytes + kBlockBytes - 1) / kBlockBytes;
    source.low = ~uint32_t{0};
    source.high = 0;
    for (uint32_t block = 0; block < source.blocks; ++block) {
        const uint32_t from = address(operand, repeat, block);
        source.address[block] = from;
        source.low = std::min(source.low, from);
        source.high = std::max(source.high, from);
        if (core_.ub.last_writer(from) == instruction_.id && !accumulates_) {
            core_.fault(
                FaultKind::kOperandOverlap, instruction_,
                "repeat " + std::to_string(repeat) + " reads the block at " + hex(from) +
                    " that an earlier repeat of the same instruction writes; repeats run into each other");
        }
        core_.ub.read(core_, instruction_, from);
        std::memcpy(out.value + block * kBlockBytes, core_.ub.data() + from, kBlockBytes);
        std::memcpy(out.shadow + block * kBlockBytes, core_.ub.shadow() + from, kBlockBytes);
    }
    out.undefined = any_undefined(out.shadow, source.blocks * kBlockBytes);
}

void VectorWalk::check_overlap(uint32_t to, uint32_t block, uint32_t lane_bytes) {
    for (uint32_t s = 0; s < source_count_; ++s) {
        const Source& source = sources_[s];
        if (to < source.low || to > source.high) {
            continue;
        }
        for (uint32_t i = 0; i < source.blocks; ++i) {
            if (source.address[i] == to && (i != block || source.lane_bytes != lane_bytes)) {
                core_.fault(FaultKind::kOperandOverlap, instruction_,
                            "block " + std::to_string(block) + " of the destination lies on block " +
                                std::to_string(i) + " of a source, at " + hex(to) +
                                "; in a repeat they overlap wholly or not at all");
            }
        }
    }
}

void VectorWalk::store(const VectorOperand& operand, uint32_t repeat, uint32_t lane_bytes,
                       const Register& in) {
    const LaneMask lanes = mask(repeat);
    const uint32_t blocks = (used(repeat) * lane_bytes + kBlockBytes - 1) / kBlockBytes;
    const uint32_t per_block = kBlockBytes / lane_bytes;
    const uint64_t full = per_block >= 64 ? ~uint64_t{0} : (uint64_t{1} << per_block) - 1;
    for (uint32_t block = 0; block < blocks; ++block) {
        const uint32_t lane = block * per_block;
        const uint64_t active = lanes.bits[lane / 64] >> (lane % 64) & full;
        if (active == 0) {
            continue;
        }
        const uint32_t to = address(operand, repeat, block);
        check_overlap(to, block, lane_bytes);
        core_.ub.write(core_, instruction_, to);
        uint8_t* data = core_.ub.data() + to;
        uint8_t* shadow = core_.ub.shadow() + to;
        if (active == full) {
            std::memcpy(data, in.value + block * kBlockBytes, kBlockBytes);
            std::memcpy(shadow, in.shadow + block * kBlockBytes, kBlockBytes);
            continue;
        }
        for (uint32_t i = 0; i < per_block; ++i) {
            if ((active >> i & 1) != 0) {
                std::memcpy(data + i * lane_bytes, in.value + (lane + i) * lane_bytes, lane_bytes);
                std::memcpy(shadow + i * lane_bytes, in.shadow + (lane + i) * lane_bytes, lane_bytes);
            }
        }
    }
}

namespace {

template <class Word>
void merge(const Register& a, const Register* b, Register& out) {
    for (uint32_t i = 0; i < kRepeatBytes; i += sizeof(Word)) {
        Word x, y = 0;
        std::memcpy(&x, a.shadow + i, sizeof x);
        if (b != nullptr) {
            std::memcpy(&y, b->shadow + i, sizeof y);
        }
        const Word lane = (x | y) != 0 ? static_cast<Word>(~Word{0}) : Word{0};
        std::memcpy(out.shadow + i, &lane, sizeof lane);
    }
}

} // namespace

void merge_shadows(const Register& a, const Register* b, uint32_t lane_bytes, Register& out) {
    const bool undefined = a.undefined || (b != nullptr && b->undefined);
    out.undefined = undefined;
    if (!undefined) {
        std::memset(out.shadow, 0, sizeof out.shadow);
        return;
    }
    switch (lane_bytes) {
    case 1: return merge<uint8_t>(a, b, out);
    case 2: return merge<uint16_t>(a, b, out);
    default: return merge<uint32_t>(a, b, out);
    }
}

} // namespace twin
