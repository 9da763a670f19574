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

inline Halves greatest(Halves a, Halves b) {
    return a > b ? a : b;
}

// The first `count` lanes.
inline HalfMask first_halves(int64_t count) {
    Halves numbers;
    for (int lane = 0; lane < kHalfLanes; ++lane) {
        numbers[lane] = static_cast<int16_t>(lane);
    }
    return numbers < splat_key(static_cast<int16_t>(count < kHalfLanes ? count : kHalfLanes));
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

inline bool any(HalfMask mask) {
    return any(reinterpret_cast<Ints>(either(mask, even_to_odd(mask))));
}

// Negative values count down from zero.
inline Halves keys(Halves bits) {
    typedef uint16_t Words __attribute__((vector_size(2 * kHalfLanes))); // which may pass their end
    const auto negative = reinterpret_cast<Words>(bits >> 15);
    const auto magnitude = reinterpret_cast<Words>(bits & 0x7fff);
    return reinterpret_cast<Halves>((magnitude ^ negative) - negative + kKeyShift);
}

// The values of the first half of the lanes, and of the second; and back, to nearest even.
#if defined(__AVX2__)
inline Floats lower_values(Halves bits) {
    return reinterpret_cast<Floats>(_mm256_cvtph_ps(_mm256_castsi256_si128(reinterpret_cast<__m256i>(bits))));
}

inline Floats upper_values(Halves bits) {
    return reinterpret_cast<Floats>(
        _mm256_cvtph_ps(_mm256_extracti128_si256(reinterpret_cast<__m256i>(bits), 1)));
}

inline Halves rounded(Floats lower, Floats upper) {
    const __m128i low = _mm256_cvtps_ph(reinterpret_cast<__m256>(lower), _MM_FROUND_TO_NEAREST_INT);
    const __m128i high = _mm256_cvtps_ph(reinterpret_cast<__m256>(upper), _MM_FROUND_TO_NEAREST_INT);
    return reinterpret_cast<Halves>(_mm256_set_m128i(high, low));
}
#else
inline Floats lower_values(Halves bits) {
    uint16_t parts[kHalfLanes];
    store(parts, bits);
    return load(parts);
}

inline Floats upper_values(Halves bits) {
    uint16_t parts[kHalfLanes];
    store(parts, bits);
    return load(parts + kLanes);
}

inline Halves rounded(Floats lower, Floats upper) {
    uint16_t parts[kHalfLanes];
    store(parts, lower);
    store(parts + kLanes, upper);
    return load_bits(parts);
}
#endif

// The first `count` lanes, a multiple of kPieceLanes, past the caches.
constexpr int64_t kPieceLanes = kHalfLanes;

inline void stream_pieces(uint16_t* to, Halves bits, int64_t) {
    stream(to, bits);
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
