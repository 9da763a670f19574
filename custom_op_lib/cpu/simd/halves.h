// Vectors of binary16 as they lie in memory, twice as many as of floats, and the keys that order them: whole
// numbers in the order of the values, equal for both zeros, below -Inf's for NaN. And the same functions for
// floats, which are their own keys.
#pragma once

#include "lanes.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int kHalfLanes = 2 * kLanes;

typedef int16_t Halves __attribute__((vector_size(2 * kHalfLanes)));

// Lanes of a vector of T as it lies in memory.
template <class T>
constexpr int kCount = sizeof(T) == 2 ? kHalfLanes : kLanes;

constexpr int16_t kKeyShift = 0x3ff; // moves the NaN behind +Inf around the end, below every number
constexpr int16_t kLowestKey = -0x7c00 + kKeyShift;
constexpr int16_t kNoKey = -0x7c01 + kKeyShift; // between -Inf and the NaN: no value's key

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET

#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "halves_avx512.h"
#else
#include "halves_vector.h"
#endif

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

inline Floats load_bits(const float* from) {
    return load(from);
}

inline Floats load_bits_part(const float* from, int64_t count) {
    return load_part(from, count);
}

inline Floats keys(Floats values) {
    return values;
}

// The keys of values to look for: NaN equals nothing.
inline Floats sought(Floats values) {
    return values;
}

inline Halves sought(Halves keys) {
    return pick(greater(splat_key(kLowestKey), keys), splat_key(kNoKey), keys);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
