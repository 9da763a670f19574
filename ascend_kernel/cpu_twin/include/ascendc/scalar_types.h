// half and bfloat16_t as the device compiler has them: built-in types that convert from and to float.
#pragma once

#include "half.h" // the project's binary16

#include <twin/instruction.h>

#include <cstdint>

struct half {
    uint16_t bits = 0;

    half() = default;
    half(float value) : bits(maxpoolgrad::from_float<maxpoolgrad::Half>(value).bits) {}
    half(double value) : half(static_cast<float>(value)) {}
    half(int value) : half(static_cast<float>(value)) {}
    operator float() const { return maxpoolgrad::to_float(maxpoolgrad::Half{bits}); }
};

struct bfloat16_t {
    uint16_t bits = 0;

    bfloat16_t() = default;
    bfloat16_t(float value) {
        const uint32_t all = maxpoolgrad::float_to_bits(value);
        const bool nan = (all & 0x7fffffffu) > 0x7f800000u;
        bits = static_cast<uint16_t>(nan ? (all >> 16) | 0x40u : (all + 0x7fffu + ((all >> 16) & 1u)) >> 16);
    }
    operator float() const { return maxpoolgrad::bits_to_float(static_cast<uint32_t>(bits) << 16); }
};

namespace twin {

template <class T>
constexpr DType dtype_of() {
    if constexpr (std::is_same_v<T, half>) {
        return DType::kHalf;
    } else if constexpr (std::is_same_v<T, float>) {
        return DType::kFloat;
    } else if constexpr (std::is_same_v<T, bfloat16_t>) {
        return DType::kBfloat16;
    } else if constexpr (std::is_integral_v<T>) {
        constexpr bool is_signed = std::is_signed_v<T>;
        switch (sizeof(T)) {
        case 1: return is_signed ? DType::kInt8 : DType::kUint8;
        case 2: return is_signed ? DType::kInt16 : DType::kUint16;
        case 4: return is_signed ? DType::kInt32 : DType::kUint32;
        default: return is_signed ? DType::kInt64 : DType::kUint64;
        }
    } else {
        static_assert(!sizeof(T), "not an element type of a tensor");
    }
}

} // namespace twin
