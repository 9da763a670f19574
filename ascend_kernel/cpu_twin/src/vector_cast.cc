// Cast between half, float and integers, in every rounding mode. Overflow to half gives infinity: the mode in
// which infinities and NaN are kept, which is how these products run.
#include "numbers.h"
#include "vector_walk.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace twin {

namespace {

enum Round { kNone, kRint, kFloor, kCeil, kAway, kTrunc, kOdd }; // RoundMode's values

double round_to_integer(double value, int mode) {
    switch (mode) {
    case kFloor: return std::floor(value);
    case kCeil: return std::ceil(value);
    case kAway: return std::round(value);
    case kTrunc: return std::trunc(value);
    default: return std::nearbyint(value);
    }
}

// The neighbour of `nearest` (a half) on the other side of `value`, or `nearest` itself where it is exact.
uint16_t step_half(uint16_t bits, bool up) {
    const bool negative = (bits & 0x8000u) != 0;
    if ((bits & 0x7fffu) == 0) {
        return up ? 0x0001u : 0x8001u;
    }
    return static_cast<uint16_t>(negative == up ? bits - 1 : bits + 1);
}

uint16_t round_to_half(float value, int mode) {
    const uint16_t nearest = float_to_half(value);
    const float back = half_to_float(nearest);
    if (std::isnan(value) || back == value || mode == kNone || mode == kRint) {
        return nearest;
    }
    const uint16_t below = back < value ? nearest : step_half(nearest, false);
    const uint16_t above = back > value ? nearest : step_half(nearest, true);
    switch (mode) {
    case kFloor: return below;
    case kCeil: return above;
    case kTrunc: return value > 0 ? below : above;
    case kOdd: return (below & 1u) != 0 ? below : above;
    default: { // halves away from zero
        const float low = half_to_float(below), high = half_to_float(above);
        if (std::isinf(low) || std::isinf(high)) {
            return nearest;
        }
        const double middle = (static_cast<double>(low) + static_cast<double>(high)) / 2;
        return value == static_cast<float>(middle) && middle == static_cast<double>(value)
                   ? (value > 0 ? above : below)
                   : nearest;
    }
    }
}

struct Limits {
    double low, high;
};

Limits limits_of(DType type) {
    switch (type) {
    case DType::kInt8: return {-128, 127};
    case DType::kUint8: return {0, 255};
    case DType::kInt16: return {-32768, 32767};
    case DType::kUint16: return {0, 65535};
    case DType::kUint32: return {0, 4294967295.0};
    default: return {-2147483648.0, 2147483647.0};
    }
}

bool is_float(DType type) {
    return type == DType::kHalf || type == DType::kFloat || type == DType::kBfloat16;
}

void convert(DType from, DType to, int mode, const uint8_t* in, uint8_t* out) {
    const Number value = load_number(from, in);
    if (to == DType::kHalf) {
        write_as<uint16_t>(out, round_to_half(static_cast<float>(value), mode));
    } else if (is_float(to)) {
        store_number(to, value, out);
    } else {
        const Limits limits = limits_of(to);
        const double whole = std::isnan(value) ? 0 : round_to_integer(value, mode);
        store_number(to, whole < limits.low ? limits.low : whole > limits.high ? limits.high : whole, out);
    }
}

bool supported(DType from, DType to, int mode) {
    const bool rounds = mode >= kRint && mode <= kTrunc;
    if (from == DType::kHalf && to == DType::kFloat) {
        return mode == kNone;
    }
    if (from == DType::kFloat && to == DType::kHalf) {
        return mode >= kNone && mode <= kOdd;
    }
    if (from == DType::kBfloat16 && to == DType::kFloat) {
        return mode == kNone;
    }
    if (from == DType::kFloat && (to == DType::kInt32 || to == DType::kInt16 || to == DType::kBfloat16)) {
        return rounds;
    }
    if (from == DType::kHalf && (to == DType::kInt32 || to == DType::kInt16)) {
        return rounds;
    }
    if (from == DType::kHalf && (to == DType::kInt8 || to == DType::kUint8)) {
        return rounds || mode == kNone;
    }
    if (from == DType::kInt32 && (to == DType::kFloat || to == DType::kInt16)) {
        return rounds || mode == kNone;
    }
    if (from == DType::kInt16 && (to == DType::kHalf || to == DType::kFloat)) {
        return rounds || mode == kNone;
    }
    return (from == DType::kUint8 || from == DType::kInt8) && to == DType::kHalf && mode == kNone;
}

} // namespace

void vector_cast(const VectorCall& call, DType to, int mode, VectorOperand destination,
                 VectorOperand source) {
    const uint32_t from_bytes = bytes_of(call.type), to_bytes = bytes_of(to);
    VectorWalk walk(call, std::max(from_bytes, to_bytes));
    walk.require(
        supported(call.type, to, mode),
        std::string("no conversion from ") + name_of(call.type) + " to " + name_of(to) +
            " in rounding mode " + std::to_string(mode) +
            "; half to float takes CAST_NONE, float to half any mode, to integers CAST_RINT to CAST_TRUNC",
        FaultKind::kUnsupportedMode);
    if (!walk.admit(source, from_bytes, "the source", false) ||
        !walk.admit(destination, to_bytes, "the destination", true)) {
        return;
    }
    Register in{}, out{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        walk.load(source, repeat, from_bytes, in);
        const uint32_t lanes = walk.used(repeat);
        for (uint32_t i = 0; i < lanes; ++i) {
            convert(call.type, to, mode, in.value + i * from_bytes, out.value + i * to_bytes);
            const bool undefined = in.undefined && any_undefined(in.shadow + i * from_bytes, from_bytes);
            std::memset(out.shadow + i * to_bytes, undefined ? 0xff : 0x00, to_bytes);
        }
        walk.store(destination, repeat, to_bytes, out);
    }
}

} // namespace twin
