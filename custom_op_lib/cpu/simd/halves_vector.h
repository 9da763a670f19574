// Vectors of binary16 for SSE2, AVX2 and NEON, in the compiler's own vector types; a mask is a vector of
// ints, all bits or none. The same functions as in halves_avx512.h.
#pragma once

#include "halves.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

using HalfMask = Halves;

inline Halves splat_key(int16_t key) {
    return key - Halves{};
}

inline Halves load_bits(const uint16_t* from) {
    Halves bits;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
}

inline void store(uint16_t* to, Halves bits) {
    std::memcpy(to, &bits, sizeof bits);
}

inline void stream(uint16_t* to, Halves bits) {
    stream(reinterpret_cast<float*>(to), reinterpret_cast<Floats>(bits));
}

inline HalfMask greater(Halves a, Halves b) {
    return a > b;
}

inline HalfMask equal(Halves a, Halves b) {
    return a == b;
}

inline HalfMask without(HalfMask a, HalfMask b) {
    return a & ~b;
}

inline HalfMask either(HalfMask a, HalfMask b) {
    return a | b;
}

inline Halves pick(HalfMask where, Halves a, Halves b) {
    return where ? a : b;
}

inline Halves only(HalfMask where, Halves a) {
    return where & a;
}

// What even lanes say, in the odd lanes behind them; what odd lanes say, in the even lanes before them.
inline HalfMask even_to_odd(HalfMask mask) {
    return reinterpret_cast<HalfMask>(reinterpret_cast<Ints>(mask) << 16);
}

inline HalfMask odd_to_even(HalfMask mask) {
    typedef uint32_t Pairs __attribute__((vector_size(2 * kHalfLanes)));
    return reinterpret_cast<HalfMask>(reinterpret_cast<Pairs>(mask) >> 16);
}

// Negative values count down from zero.
inline Halves keys(Halves bits) {
    typedef uint16_t Words __attribute__((vector_size(2 * kHalfLanes))); // which may pass their end
    const auto negative = reinterpret_cast<Words>(bits >> 15);
    const auto magnitude = reinterpret_cast<Words>(bits & 0x7fff);
    return reinterpret_cast<Halves>((magnitude ^ negative) - negative + kKeyShift);
}

// The first `count` elements, NaN behind them.
inline Halves load_bits_part(const uint16_t* from, int64_t count) {
    uint16_t part[kHalfLanes];
    for (int64_t lane = 0; lane < kHalfLanes; ++lane) {
        part[lane] = lane < count ? from[lane] : 0x7e00;
    }
    return load_bits(part);
}

inline void store_part(uint16_t* to, Halves bits, int64_t count) {
    uint16_t part[kHalfLanes];
    store(part, bits);
    for (int64_t lane = 0; lane < count; ++lane) {
        to[lane] = part[lane];
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
