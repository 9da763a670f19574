// Vectors of float for SSE2, AVX2 and NEON, in the compiler's own vector types; a mask is a vector of ints,
// all bits or none. The same functions as in lanes_avx512.h.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#else
#include "../half.h"
#endif

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

#if defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef int32_t Ints __attribute__((vector_size(4 * kLanes)));
using Mask = Ints;

inline Floats load(const float* from) {
    Floats value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline Ints load(const int32_t* from) {
    Ints value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline void store(float* to, Floats value) {
    std::memcpy(to, &value, sizeof value);
}

inline void store(int32_t* to, Ints value) {
    std::memcpy(to, &value, sizeof value);
}

inline Floats splat(float value) {
    return value - Floats{};
}

inline Ints splat(int32_t value) {
    return value - Ints{};
}

inline Mask greater(Floats a, Floats b) {
    return a > b;
}

inline Mask equal(Floats a, Floats b) {
    return a == b;
}

inline Mask equal(Ints a, Ints b) {
    return a == b;
}

// Of the lanes `where`, those where a equals b.
inline Mask equal_where(Mask where, Floats a, Floats b) {
    return where & (a == b);
}

inline Mask both(Mask a, Mask b) {
    return a & b;
}

inline Mask either(Mask a, Mask b) {
    return a | b;
}

inline Mask without(Mask a, Mask b) {
    return a & ~b;
}

inline Floats pick(Mask where, Floats a, Floats b) {
    return where ? a : b;
}

inline Ints pick(Mask where, Ints a, Ints b) {
    return where ? a : b;
}

// 0 where the mask is not set.
inline Floats only(Mask where, Floats a) {
    return reinterpret_cast<Floats>(where & reinterpret_cast<Ints>(a));
}

// sum + a there, sum + 0 elsewhere.
inline Floats add_where(Mask where, Floats sum, Floats a) {
    return sum + only(where, a);
}

inline Mask none() {
    return Mask{};
}

inline bool any(Mask mask) {
#if defined(__AVX2__)
    return _mm256_movemask_ps(reinterpret_cast<__m256>(mask)) != 0;
#elif defined(__x86_64__)
    return _mm_movemask_ps(reinterpret_cast<__m128>(mask)) != 0;
#else
    typedef int64_t Words __attribute__((vector_size(4 * kLanes)));
    const Words words = reinterpret_cast<Words>(mask);
    return (words[0] | words[1]) != 0;
#endif
}

// A bit for each lane.
inline uint32_t bits_of(Mask mask) {
#if defined(__AVX2__)
    return static_cast<uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#elif defined(__x86_64__)
    return static_cast<uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
#else
    const Ints own = mask & Ints{1, 2, 4, 8};
    return static_cast<uint32_t>(own[0] | own[1] | own[2] | own[3]);
#endif
}

// The first `count` lanes.
inline Mask first_lanes(int64_t count) {
#if defined(__AVX2__)
    const Ints numbers = {0, 1, 2, 3, 4, 5, 6, 7};
#else
    const Ints numbers = {0, 1, 2, 3};
#endif
    return numbers < splat(static_cast<int32_t>(count));
}

// What even lanes say, in the odd lanes behind them; what odd lanes say, in the even lanes before them.
inline Mask even_to_odd(Mask mask) {
    typedef int64_t Pairs __attribute__((vector_size(4 * kLanes)));
    return reinterpret_cast<Mask>(reinterpret_cast<Pairs>(mask) << 32);
}

inline Mask odd_to_even(Mask mask) {
    typedef uint64_t Pairs __attribute__((vector_size(4 * kLanes)));
    return reinterpret_cast<Mask>(reinterpret_cast<Pairs>(mask) >> 32);
}

// x where it is greater, else `best`: never NaN where `best` is none.
inline Floats greatest(Floats x, Floats best) {
#if defined(__AVX2__)
    return reinterpret_cast<Floats>(
        _mm256_max_ps(reinterpret_cast<__m256>(x), reinterpret_cast<__m256>(best)));
#elif defined(__x86_64__)
    return reinterpret_cast<Floats>(_mm_max_ps(reinterpret_cast<__m128>(x), reinterpret_cast<__m128>(best)));
#else
    return x > best ? x : best;
#endif
}

inline Ints greatest(Ints a, Ints b) {
#if defined(__AVX2__)
    return reinterpret_cast<Ints>(
        _mm256_max_epi32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#else
    return a > b ? a : b;
#endif
}

// The integers in the values' order, 0 for both zeros.
inline Ints ordered(Floats value) {
    const Ints bits = reinterpret_cast<Ints>(value);
    const Ints negative = bits >> 31;
    return ((bits & 0x7fffffff) ^ negative) - negative;
}

// Of `value`, the bits `where` replaced by `bits`, which has no others.
inline Ints put_bits(Ints value, Ints where, Ints bits) {
    return (value & ~where) | bits;
}

// binary16 to float and back, to nearest even.
#if defined(__AVX2__)
inline Floats load(const uint16_t* from) {
    return reinterpret_cast<Floats>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}

inline void store(uint16_t* to, Floats value) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm256_cvtps_ph(reinterpret_cast<__m256>(value), _MM_FROUND_TO_NEAREST_INT));
}
#elif defined(__aarch64__)
inline Floats load(const uint16_t* from) {
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from)));
}

inline void store(uint16_t* to, Floats value) {
    vst1_u16(to, vreinterpret_u16_f16(vcvt_f16_f32(value)));
}
#else
// Without an instruction for it: the exponent is moved by a multiplication, exact both ways but for the one
// rounding, which an addition of the right magnitude makes.
inline Floats load(const uint16_t* from) {
    Ints half;
    for (int lane = 0; lane < kLanes; ++lane) {
        half[lane] = from[lane];
    }
    const Ints magnitude = (half & 0x7fff) << 13;
    const Floats finite = reinterpret_cast<Floats>(magnitude) * 0x1p112f;
    const Ints special = magnitude >= (0x7c00 << 13); // Inf and NaN
    const Ints bits = reinterpret_cast<Ints>(finite) | (special & 0x7f800000);
    return reinterpret_cast<Floats>(bits | ((half & 0x8000) << 16));
}

inline void store(uint16_t* to, Floats value) {
    const Ints bits = reinterpret_cast<Ints>(value);
    const Ints magnitude = bits & 0x7fffffff;
    const Ints small =
        reinterpret_cast<Ints>(reinterpret_cast<Floats>(magnitude) + 0.5f) - 0x3f000000; // in units of 2^-24
    const Ints normal = (magnitude + 0xfff + ((magnitude >> 13) & 1) - (112 << 23)) >> 13;
    Ints half = magnitude < 0x38800000 ? small : normal;
    half = magnitude >= 0x477ff000 ? splat(int32_t{0x7c00}) : half;
    half = magnitude > 0x7f800000 ? splat(int32_t{0x7e00}) : half;
    half |= (bits >> 16) & 0x8000;
    for (int lane = 0; lane < kLanes; ++lane) {
        to[lane] = static_cast<uint16_t>(half[lane]);
    }
}
#endif

inline float number(float value) {
    return value;
}

inline float number(uint16_t half) {
    const uint16_t halves[kLanes] = {half};
    return load(halves)[0];
}

// Past the caches, for what nobody reads soon. On a vector's boundary.
inline void stream(float* to, Floats value) {
#if defined(__AVX2__)
    _mm256_stream_ps(to, reinterpret_cast<__m256>(value));
#elif defined(__x86_64__)
    _mm_stream_ps(to, reinterpret_cast<__m128>(value));
#else
    store(to, value);
#endif
}

inline void stream(uint16_t* to, Floats value) {
#if defined(__AVX2__)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to),
                     _mm256_cvtps_ph(reinterpret_cast<__m256>(value), _MM_FROUND_TO_NEAREST_INT));
#else
    store(to, value);
#endif
}

// Fewer bytes than a vector has, on a boundary of theirs.
constexpr int64_t kStreamUnit = 16;

inline void stream_unit(void* to, const void* from) {
#if defined(__x86_64__)
    _mm_stream_si128(static_cast<__m128i*>(to), _mm_loadu_si128(static_cast<const __m128i*>(from)));
#else
    std::memcpy(to, from, kStreamUnit);
#endif
}

// Streamed stores come before what this thread stores later.
inline void end_streams() {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

#if defined(__AVX2__)
inline Floats load_part(const float* from, int64_t count) {
    const Mask first = first_lanes(count);
    const auto part = reinterpret_cast<Floats>(_mm256_maskload_ps(from, reinterpret_cast<__m256i>(first)));
    return pick(first, part, splat(__builtin_nanf("")));
}

inline void store_part(float* to, Floats value, int64_t count) {
    _mm256_maskstore_ps(to, reinterpret_cast<__m256i>(first_lanes(count)), reinterpret_cast<__m256>(value));
}
#endif

// The first `count` elements, NaN behind them.
template <class T>
inline Floats load_part(const T* from, int64_t count) {
    T part[kLanes] = {};
    for (int64_t lane = 0; lane < count; ++lane) {
        part[lane] = from[lane];
    }
    return pick(first_lanes(count), load(part), splat(__builtin_nanf("")));
}

template <class T>
inline void store_part(T* to, Floats value, int64_t count) {
    T part[kLanes];
    store(part, value);
    for (int64_t lane = 0; lane < count; ++lane) {
        to[lane] = part[lane];
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
