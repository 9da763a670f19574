// Compare and CompareScalar: a bit a lane, one after the other, whole repeats whatever the mask says.
#include "numbers.h"
#include "vector_walk.h"

#include <cstring>

namespace twin {

namespace {

// A byte a lane, 1 where it holds.
using Flags = uint8_t[kRepeatBytes];

template <class Lane, class Holds>
void each_lane(const uint8_t* a, const uint8_t* b, uint32_t b_step, uint32_t lanes, Flags& out, Holds holds) {
    for (uint32_t i = 0; i < lanes; ++i) {
        out[i] = holds(Lane::load(a + i * Lane::kBytes), Lane::load(b + i * b_step));
    }
}

template <class Lane>
void compare_lanes(CompareMode mode, const uint8_t* a, const uint8_t* b, uint32_t b_step, uint32_t lanes,
                   Flags& out) {
    switch (mode) {
    case CompareMode::kLess:
        return each_lane<Lane>(a, b, b_step, lanes, out, [](float x, float y) { return x < y; });
    case CompareMode::kGreater:
        return each_lane<Lane>(a, b, b_step, lanes, out, [](float x, float y) { return x > y; });
    case CompareMode::kEqual:
        return each_lane<Lane>(a, b, b_step, lanes, out, [](float x, float y) { return x == y; });
    case CompareMode::kLessEqual:
        return each_lane<Lane>(a, b, b_step, lanes, out, [](float x, float y) { return x <= y; });
    case CompareMode::kGreaterEqual:
        return each_lane<Lane>(a, b, b_step, lanes, out, [](float x, float y) { return x >= y; });
    default:
        // NaN differs from nothing on A2 and A3, and from everything on the 950.
        if (arch() == 3510) {
            return each_lane<Lane>(a, b, b_step, lanes, out, [](float x, float y) { return x != y; });
        }
        return each_lane<Lane>(a, b, b_step, lanes, out, [](float x, float y) { return x < y || x > y; });
    }
}

void compare(DType type, CompareMode mode, const uint8_t* a, const uint8_t* b, bool scalar, uint32_t lanes,
             Flags& out) {
    const uint32_t step = scalar ? 0 : bytes_of(type);
    if (type == DType::kHalf) {
        compare_lanes<HalfLane>(mode, a, b, step, lanes, out);
    } else if (type == DType::kFloat) {
        compare_lanes<PlainLane<float>>(mode, a, b, step, lanes, out);
    } else { // equality of bits
        for (uint32_t i = 0; i < lanes; ++i) {
            out[i] = std::memcmp(a + i * bytes_of(type), b + i * step, bytes_of(type)) == 0;
        }
    }
}

// Bit i of `bits` and `shadow` for lane i; a lane is undefined where a source is.
void pack(const Flags& flags, const Register& shadows, uint32_t lane_bytes, uint32_t lanes, uint8_t* bits,
          uint8_t* shadow) {
    for (uint32_t i = 0; i < lanes; i += 8) {
        uint32_t byte = 0;
        for (uint32_t j = 0; j < 8; ++j) {
            byte |= static_cast<uint32_t>(flags[i + j]) << j;
        }
        bits[i / 8] = static_cast<uint8_t>(byte);
    }
    std::memset(shadow, 0, lanes / 8);
    for (uint32_t i = 0; shadows.undefined && i < lanes; ++i) {
        shadow[i / 8] =
            static_cast<uint8_t>(shadow[i / 8] | (shadows.shadow[i * lane_bytes] != 0) << (i % 8));
    }
}

void require_type(VectorWalk& walk, DType type, CompareMode mode) {
    walk.require(type == DType::kHalf || type == DType::kFloat ||
                     (type == DType::kInt32 && mode == CompareMode::kEqual),
                 std::string("compares ") + name_of(type) + "; it has half and float, and int32_t for EQ");
}

// Whole repeats of lanes, whatever the mask says. Counted lanes must fill their repeats.
VectorCall whole_repeats(VectorCall call) {
    if (call.lanes.kind != Lanes::Kind::kCount) {
        call.lanes = Lanes::first(kRepeatBytes / bytes_of(call.type));
    }
    return call;
}

void require_length(VectorWalk& walk, const VectorCall& call) {
    const uint64_t bytes = call.lanes.count * bytes_of(call.type);
    walk.require(call.lanes.kind != Lanes::Kind::kCount || bytes % kRepeatBytes == 0,
                 std::to_string(call.lanes.count) + " elements have " + std::to_string(bytes) +
                     " B; it compares multiples of 256 B, and leaves what is over out",
                 FaultKind::kCompareLength);
}

void run(const VectorCall& given, CompareMode mode, UbSpan destination, VectorOperand first,
         const VectorOperand* second, ScalarBits scalar) {
    VectorCall call = whole_repeats(given);
    const uint32_t size = bytes_of(call.type);
    const uint32_t lanes = kRepeatBytes / size;
    const uint64_t asked = call.lanes.count;
    if (call.lanes.kind == Lanes::Kind::kCount) {
        call.lanes.count = asked / lanes * lanes;
    }
    // The mask does not count here, nor does the counter mode of the mask register.
    const bool counter = this_core().vector.counter;
    this_core().vector.counter = false;
    VectorWalk walk(call, size);
    this_core().vector.counter = counter;
    require_type(walk, call.type, mode);
    require_length(walk, given);
    const uint32_t row = lanes / 8;
    if (!walk.admit(first, size, "source 0", false) ||
        (second != nullptr && !walk.admit(*second, size, "source 1", false)) ||
        !walk.admit_row(destination, uint64_t{row} * walk.repeats(), "the destination")) {
        return;
    }
    uint8_t value[8];
    std::memcpy(value, &scalar.bits, sizeof value);
    Ub& ub = walk.core().ub;
    Register a{}, b{}, shadows{};
    Flags results;
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        walk.load(first, repeat, size, a);
        if (second != nullptr) {
            walk.load(*second, repeat, size, b);
        }
        compare(call.type, mode, a.value, second != nullptr ? b.value : value, second == nullptr, lanes,
                results);
        merge_shadows(a, second != nullptr ? &b : nullptr, size, shadows);
        const uint32_t to = destination.address + repeat * row;
        ub.write_range(walk.core(), walk.instruction(), to, to + row);
        pack(results, shadows, size, lanes, ub.data() + to, ub.shadow() + to);
    }
}

} // namespace

void vector_compare(const VectorCall& call, CompareMode mode, UbSpan destination, VectorOperand first,
                    VectorOperand second) {
    run(call, mode, destination, first, &second, {});
}

void vector_compare_scalar(const VectorCall& call, CompareMode mode, UbSpan destination, VectorOperand source,
                           ScalarBits scalar) {
    run(call, mode, destination, source, nullptr, scalar);
}

void vector_compare_to_register(const VectorCall& call, CompareMode mode, VectorOperand first,
                                VectorOperand second) {
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    require_type(walk, call.type, mode);
    if (!walk.admit(first, size, "source 0", false) || !walk.admit(second, size, "source 1", false)) {
        return;
    }
    Register a{}, b{}, shadows{};
    Flags results = {};
    walk.load(first, 0, size, a);
    walk.load(second, 0, size, b);
    compare(call.type, mode, a.value, b.value, false, walk.used(0), results);
    merge_shadows(a, &b, size, shadows);
    VectorRegisters& registers = walk.core().vector;
    const LaneMask mask = walk.mask(0);
    for (uint32_t lane = 0; lane < walk.lanes_per_repeat(); ++lane) {
        if (mask.has(lane)) {
            const uint64_t bit = uint64_t{1} << (lane % 64);
            const bool undefined = shadows.undefined && shadows.shadow[lane * size] != 0;
            uint64_t& bits = registers.compare[lane / 64];
            uint64_t& shadow = registers.compare_shadow[lane / 64];
            bits = results[lane] != 0 ? bits | bit : bits & ~bit;
            shadow = undefined ? shadow | bit : shadow & ~bit;
        }
    }
}

void get_compare_mask(UbSpan destination, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kGetCmpMask, Pipe::kV, site);
    if (core.ub.aligned(core, instruction, destination, "the destination") &&
        core.ub.admit(core, instruction, destination, destination.address, destination.address + 16,
                      "the destination")) {
        core.ub.write(core, instruction, destination.address);
        std::memcpy(core.ub.data() + destination.address, core.vector.compare, 16);
        std::memcpy(core.ub.shadow() + destination.address, core.vector.compare_shadow, 16);
    }
}

void set_compare_mask(UbSpan source, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kSetCmpMask, Pipe::kV, site);
    if (core.ub.aligned(core, instruction, source, "the source") &&
        core.ub.admit(core, instruction, source, source.address, source.address + 16, "the source")) {
        core.ub.read(core, instruction, source.address);
        std::memcpy(core.vector.compare, core.ub.data() + source.address, 16);
        std::memcpy(core.vector.compare_shadow, core.ub.shadow() + source.address, 16);
    }
}

} // namespace twin
