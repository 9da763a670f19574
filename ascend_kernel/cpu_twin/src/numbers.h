// Elements of any type as numbers of the host. float covers half and bfloat16_t: sums and products of two of
// them, rounded once to float and then to their own type, are what one rounding gives.
#pragma once

#include "ascendc/scalar_types.h"

#include <twin/instruction.h>

#include <cstdint>
#include <cstring>

namespace twin {

template <class T>
T read_as(const uint8_t* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

template <class T>
void write_as(uint8_t* bytes, T value) {
    std::memcpy(bytes, &value, sizeof value);
}

extern const float* const half_floats; // by bits

inline float half_to_float(uint16_t bits) {
    return half_floats[bits];
}
inline uint16_t float_to_half(float value) {
    return maxpoolgrad::from_float<maxpoolgrad::Half>(value).bits;
}
inline float bfloat16_to_float(uint16_t bits) {
    bfloat16_t value;
    value.bits = bits;
    return value;
}
inline uint16_t float_to_bfloat16(float value) {
    return bfloat16_t(value).bits;
}

// A type's load and store as the host computes with it.
struct HalfLane {
    using Value = float;
    static constexpr uint32_t kBytes = 2;
    static float load(const uint8_t* p) { return half_to_float(read_as<uint16_t>(p)); }
    static void store(uint8_t* p, float v) { write_as<uint16_t>(p, float_to_half(v)); }
};
struct Bfloat16Lane {
    using Value = float;
    static constexpr uint32_t kBytes = 2;
    static float load(const uint8_t* p) { return bfloat16_to_float(read_as<uint16_t>(p)); }
    static void store(uint8_t* p, float v) { write_as<uint16_t>(p, float_to_bfloat16(v)); }
};
template <class T>
struct PlainLane {
    using Value = T;
    static constexpr uint32_t kBytes = sizeof(T);
    static T load(const uint8_t* p) { return read_as<T>(p); }
    static void store(uint8_t* p, T v) { write_as<T>(p, v); }
};

// One element of any type, for what is not worth a copy of its code a type.
using Number = double;
Number load_number(DType type, const uint8_t* bytes);
void store_number(DType type, Number value, uint8_t* bytes);

} // namespace twin
