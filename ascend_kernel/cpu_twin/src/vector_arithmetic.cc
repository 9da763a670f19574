// Add to Min between tensors, Adds to ShiftRight with a scalar, Abs, Relu.
#include "numbers.h"
#include "vector_walk.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace twin {

namespace {

// Integers wrap as the vector unit's do, without undefined behaviour on the host.
template <class T, class Operation>
T wrapping(T a, T b, Operation operation) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(
            operation(static_cast<uint64_t>(static_cast<U>(a)), static_cast<uint64_t>(static_cast<U>(b))));
    } else {
        return operation(a, b);
    }
}

template <class T>
bool is_nan(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(value);
    } else {
        static_cast<void>(value);
        return false;
    }
}

template <class T>
T apply(Op op, T a, T b) {
    switch (op) {
    case Op::kAdd:
    case Op::kAdds: return wrapping(a, b, [](auto x, auto y) { return x + y; });
    case Op::kSub: return wrapping(a, b, [](auto x, auto y) { return x - y; });
    case Op::kMul:
    case Op::kMuls: return wrapping(a, b, [](auto x, auto y) { return x * y; });
    case Op::kMax:
    case Op::kMaxs: return is_nan(a) ? a : is_nan(b) ? b : std::max(a, b);
    case Op::kMin:
    case Op::kMins: return is_nan(a) ? a : is_nan(b) ? b : std::min(a, b);
    default: return a;
    }
}

// One lane after the other, the operation chosen outside of the loop so that the loop stays tight.
template <class Lane>
void all_lanes(Op op, const uint8_t* a, const uint8_t* b, uint32_t b_step, uint8_t* out, uint32_t lanes) {
    using T = typename Lane::Value;
    const auto each = [&](auto operation) {
        for (uint32_t i = 0; i < lanes; ++i) {
            Lane::store(out + i * Lane::kBytes,
                        operation(Lane::load(a + i * Lane::kBytes), Lane::load(b + i * b_step)));
        }
    };
    switch (op) {
    case Op::kAdd:
    case Op::kAdds: return each([](T x, T y) { return apply(Op::kAdd, x, y); });
    case Op::kSub: return each([](T x, T y) { return apply(Op::kSub, x, y); });
    case Op::kMul:
    case Op::kMuls: return each([](T x, T y) { return apply(Op::kMul, x, y); });
    case Op::kMax:
    case Op::kMaxs: return each([](T x, T y) { return apply(Op::kMax, x, y); });
    default: return each([](T x, T y) { return apply(Op::kMin, x, y); });
    }
}

void compute(Op op, DType type, const uint8_t* a, const uint8_t* b, bool scalar, uint8_t* out,
             uint32_t lanes) {
    const uint32_t step = scalar ? 0 : bytes_of(type);
    switch (type) {
    case DType::kHalf: return all_lanes<HalfLane>(op, a, b, step, out, lanes);
    case DType::kFloat: return all_lanes<PlainLane<float>>(op, a, b, step, out, lanes);
    case DType::kInt16: return all_lanes<PlainLane<int16_t>>(op, a, b, step, out, lanes);
    default: return all_lanes<PlainLane<int32_t>>(op, a, b, step, out, lanes);
    }
}

void shift(Op op, DType type, const uint8_t* a, uint32_t by, uint8_t* out, uint32_t lanes) {
    const uint32_t size = bytes_of(type);
    const bool arithmetic = type == DType::kInt16 || type == DType::kInt32;
    for (uint32_t i = 0; i < lanes; ++i) {
        const int64_t value = static_cast<int64_t>(load_number(type, a + i * size));
        const uint32_t bits = std::min(by, 8 * size);
        const int64_t logical = value & ((int64_t{1} << (8 * size)) - 1);
        const int64_t result = op == Op::kShiftLeft ? logical << bits
                               : arithmetic         ? value >> bits
                                                    : logical >> bits;
        std::memcpy(out + i * size, &result, size);
    }
}

bool arithmetic_type(DType type) {
    return type == DType::kHalf || type == DType::kFloat || type == DType::kInt16 || type == DType::kInt32;
}

std::string types_sentence(DType type, const char* allowed) {
    return std::string("the elements are ") + name_of(type) + "; it has " + allowed;
}

} // namespace

void vector_binary(const VectorCall& call, VectorOperand destination, VectorOperand first,
                   VectorOperand second) {
    const bool logic = call.op == Op::kAnd || call.op == Op::kOr;
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    if (logic) {
        walk.require(call.type == DType::kInt16 || call.type == DType::kUint16,
                     types_sentence(call.type, "int16_t and uint16_t"));
    } else {
        walk.require(arithmetic_type(call.type),
                     types_sentence(call.type, "half, float, int16_t and int32_t"));
    }
    // The documented exception to "repeats must not run into each other": sums into the second source.
    if (!logic && destination.place.address == second.place.address &&
        (destination.repeat_stride.value == 0 || second.repeat_stride.value == 0)) {
        walk.allow_accumulation();
    }
    if (!walk.admit(first, size, "source 0", false) || !walk.admit(second, size, "source 1", false) ||
        !walk.admit(destination, size, "the destination", true)) {
        return;
    }
    Register a{}, b{}, out{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        walk.load(first, repeat, size, a);
        walk.load(second, repeat, size, b);
        if (!logic) {
            compute(call.op, call.type, a.value, b.value, false, out.value, walk.used(repeat));
            merge_shadows(a, &b, size, out);
        } else {
            // A bit is defined where both are, or where one of them decides alone.
            const bool is_and = call.op == Op::kAnd;
            for (uint32_t i = 0; i < kRepeatBytes; ++i) {
                const uint8_t x = a.value[i], y = b.value[i], ux = a.shadow[i], uy = b.shadow[i];
                out.value[i] = static_cast<uint8_t>(is_and ? x & y : x | y);
                const int decided = is_and ? (~x & ~ux) | (~y & ~uy) : (x & ~ux) | (y & ~uy);
                out.shadow[i] = static_cast<uint8_t>((ux | uy) & ~decided);
            }
        }
        walk.store(destination, repeat, size, out);
    }
}

void vector_unary(const VectorCall& call, VectorOperand destination, VectorOperand source) {
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    if (call.op == Op::kNot) {
        walk.require(call.type == DType::kInt16 || call.type == DType::kUint16,
                     types_sentence(call.type, "int16_t and uint16_t"));
    } else {
        walk.require(call.type == DType::kHalf || call.type == DType::kFloat ||
                         (call.op == Op::kRelu && call.type == DType::kInt32),
                     types_sentence(call.type, "half and float"));
    }
    if (!walk.admit(source, size, "the source", false) ||
        !walk.admit(destination, size, "the destination", true)) {
        return;
    }
    Register a{}, out{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        walk.load(source, repeat, size, a);
        for (uint32_t i = 0; i < walk.used(repeat) * size; ++i) {
            out.value[i] = static_cast<uint8_t>(call.op == Op::kNot ? ~a.value[i] : a.value[i]);
        }
        for (uint32_t i = 0; call.op != Op::kNot && i < walk.used(repeat); ++i) {
            uint8_t* sign = out.value + i * size + size - 1; // the byte with the sign
            if (call.op == Op::kAbs) {
                *sign = static_cast<uint8_t>(*sign & 0x7f);
            } else if (load_number(call.type, a.value + i * size) < 0) {
                std::memset(out.value + i * size, 0, size);
            }
        }
        if (call.op == Op::kNot) {
            std::memcpy(out.shadow, a.shadow, sizeof out.shadow);
        } else {
            merge_shadows(a, nullptr, size, out);
        }
        walk.store(destination, repeat, size, out);
    }
}

void vector_scalar(const VectorCall& call, VectorOperand destination, VectorOperand source,
                   ScalarBits scalar) {
    const uint32_t size = bytes_of(call.type);
    VectorWalk walk(call, size);
    const bool shifts = call.op == Op::kShiftLeft || call.op == Op::kShiftRight;
    const bool integer =
        call.type != DType::kHalf && call.type != DType::kFloat && call.type != DType::kBfloat16;
    walk.require(shifts ? integer && (size == 2 || size == 4) : arithmetic_type(call.type),
                 types_sentence(call.type,
                                shifts ? "integers of 16 and 32 bits" : "half, float, int16_t and int32_t"));
    if (!walk.admit(source, size, "the source", false) ||
        !walk.admit(destination, size, "the destination", true)) {
        return;
    }
    uint8_t bits[8];
    std::memcpy(bits, &scalar.bits, sizeof bits);
    Register a{}, out{};
    for (uint32_t repeat = 0; repeat < walk.repeats(); ++repeat) {
        walk.load(source, repeat, size, a);
        if (shifts) {
            shift(call.op, call.type, a.value, static_cast<uint32_t>(scalar.bits), out.value,
                  walk.used(repeat));
        } else {
            compute(call.op, call.type, a.value, bits, true, out.value, walk.used(repeat));
        }
        merge_shadows(a, nullptr, size, out);
        walk.store(destination, repeat, size, out);
    }
}

} // namespace twin
