// IEEE binary16 in software: portable, and the same bits on every processor.
#pragma once

#include <cstdint>
#include <cstring>

namespace maxpoolgrad {

struct Half {
    uint16_t bits;
};

inline float bits_to_float(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline uint32_t float_to_bits(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float to_float(float value) {
    return value;
}

inline float to_float(Half half) {
    const uint32_t sign = static_cast<uint32_t>(half.bits & 0x8000u) << 16;
    const uint32_t magnitude = half.bits & 0x7fffu;
    if (magnitude >= 0x7c00u) { // Inf and NaN: the widest exponent, the payload kept
        return bits_to_float(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    }
    if (magnitude < 0x400u) { // zero and subnormals count in units of 2^-24; no float subnormal on the way,
        const float value = static_cast<float>(magnitude) * 0x1p-24f; // which a host may flush to zero
        return bits_to_float(sign | float_to_bits(value));
    }
    return bits_to_float(sign | ((magnitude << 13) + (112u << 23)));
}

template <class T>
T from_float(float value);

template <>
inline float from_float<float>(float value) {
    return value;
}

// To nearest, ties to even; overflow gives Inf.
template <>
inline Half from_float<Half>(float value) {
    const uint32_t bits = float_to_bits(value);
    const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) { // NaN stays NaN, quiet
        return {static_cast<uint16_t>(sign | 0x7e00u)};
    }
    if (magnitude >= 0x477ff000u) { // from 65520 on, halfway to the next power of two
        return {static_cast<uint16_t>(sign | 0x7c00u)};
    }
    if (magnitude <
        0x38800000u) { // below 2^-14: adding 0.5 leaves the value in units of 2^-24, rounded by the FPU
        const float shifted = bits_to_float(magnitude) + 0.5f;
        return {static_cast<uint16_t>(sign | (float_to_bits(shifted) - 0x3f000000u))};
    }
    const uint32_t odd = (magnitude >> 13) & 1u;
    const uint32_t rounded = magnitude + 0xfffu + odd - (112u << 23);
    return {static_cast<uint16_t>(sign | rounded >> 13)};
}

} // namespace maxpoolgrad
