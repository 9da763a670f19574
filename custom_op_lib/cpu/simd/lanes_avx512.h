// Vectors of float for AVX-512 (F, BW, DQ, VL), whose masks are bits of their own. The same functions as in
// lanes_vector.h.
#pragma once

#include <cstdint>
#include <immintrin.h>

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int kLanes = 16;

using Floats = __m512;
typedef int32_t Ints __attribute__((vector_size(4 * kLanes)));
using Mask = __mmask16;

inline Floats load(const float* from) {
    return _mm512_loadu_ps(from);
}

inline Ints load(const int32_t* from) {
    return reinterpret_cast<Ints>(_mm512_loadu_si512(from));
}

inline void store(float* to, Floats value) {
    _mm512_storeu_ps(to, value);
}

inline void store(int32_t* to, Ints value) {
    _mm512_storeu_si512(to, reinterpret_cast<__m512i>(value));
}

inline Floats splat(float value) {
    return _mm512_set1_ps(value);
}

inline Ints splat(int32_t value) {
    return reinterpret_cast<Ints>(_mm512_set1_epi32(value));
}

inline Mask greater(Floats a, Floats b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
}

inline Mask equal(Floats a, Floats b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

inline Mask equal(Ints a, Ints b) {
    return _mm512_cmpeq_epi32_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
}

// Of the lanes `where`, those where a equals b.
inline Mask equal_where(Mask where, Floats a, Floats b) {
    return _mm512_mask_cmp_ps_mask(where, a, b, _CMP_EQ_OQ);
}

inline Mask both(Mask a, Mask b) {
    return _kand_mask16(a, b);
}

inline Mask either(Mask a, Mask b) {
    return _kor_mask16(a, b);
}

inline Mask without(Mask a, Mask b) {
    return _kandn_mask16(b, a);
}

inline Floats pick(Mask where, Floats a, Floats b) {
    return _mm512_mask_mov_ps(b, where, a);
}

inline Ints pick(Mask where, Ints a, Ints b) {
    return reinterpret_cast<Ints>(
        _mm512_mask_mov_epi32(reinterpret_cast<__m512i>(b), where, reinterpret_cast<__m512i>(a)));
}

inline Floats only(Mask where, Floats a) {
    return _mm512_maskz_mov_ps(where, a);
}

// sum + a there, sum elsewhere.
inline Floats add_where(Mask where, Floats sum, Floats a) {
    return _mm512_mask_add_ps(sum, where, sum, a);
}

inline Mask none() {
    return 0;
}

inline bool any(Mask mask) {
    return mask != 0;
}

// A bit for each lane.
inline uint32_t bits_of(Mask mask) {
    return mask;
}

inline Mask first_lanes(int64_t count) {
    return static_cast<Mask>(count >= kLanes ? 0xffffu : (1u << count) - 1u);
}

// What even lanes say, in the odd lanes behind them; what odd lanes say, in the even lanes before them.
inline Mask even_to_odd(Mask mask) {
    return static_cast<Mask>((mask & 0x5555u) << 1);
}

inline Mask odd_to_even(Mask mask) {
    return static_cast<Mask>((mask >> 1) & 0x5555u);
}

inline Floats greatest(Floats x, Floats best) {
    return _mm512_max_ps(x, best);
}

inline Ints greatest(Ints a, Ints b) {
    return reinterpret_cast<Ints>(
        _mm512_max_epi32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}

// The integers in the values' order, 0 for both zeros.
inline Ints ordered(Floats value) {
    const __m512i bits = reinterpret_cast<__m512i>(value);
    return reinterpret_cast<Ints>(
        _mm512_mask_sub_epi32(bits, _mm512_movepi32_mask(bits), _mm512_set1_epi32(INT32_MIN), bits));
}

// Of `value`, the bits `where` replaced by `bits`, which has no others.
inline Ints put_bits(Ints value, Ints where, Ints bits) {
    constexpr int kAndNotOr = 0xdc; // (value & ~where) | bits
    return reinterpret_cast<Ints>(_mm512_ternarylogic_epi32(reinterpret_cast<__m512i>(value),
                                                            reinterpret_cast<__m512i>(bits),
                                                            reinterpret_cast<__m512i>(where), kAndNotOr));
}

inline Floats load(const uint16_t* from) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}

inline float number(float value) {
    return value;
}

inline float number(uint16_t half) {
    return _cvtsh_ss(half);
}

inline void store(uint16_t* to, Floats value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

inline Floats load_part(const float* from, int64_t count) {
    return _mm512_mask_loadu_ps(splat(__builtin_nanf("")), first_lanes(count), from);
}

inline Floats load_part(const uint16_t* from, int64_t count) {
    const __m256i quiet = _mm256_set1_epi16(0x7e00);
    return _mm512_cvtph_ps(_mm256_mask_loadu_epi16(quiet, first_lanes(count), from));
}

// Past the caches, for what nobody reads soon. On a vector's boundary.
inline void stream(float* to, Floats value) {
    _mm512_stream_ps(to, value);
}

inline void stream(uint16_t* to, Floats value) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

// Fewer bytes than a vector has, on a boundary of theirs.
constexpr int64_t kStreamUnit = 16;

inline void stream_unit(void* to, const void* from) {
    _mm_stream_si128(static_cast<__m128i*>(to), _mm_loadu_si128(static_cast<const __m128i*>(from)));
}

// Streamed stores come before what this thread stores later.
inline void end_streams() {
    _mm_sfence();
}

inline void store_part(float* to, Floats value, int64_t count) {
    _mm512_mask_storeu_ps(to, first_lanes(count), value);
}

inline void store_part(uint16_t* to, Floats value, int64_t count) {
    _mm256_mask_storeu_epi16(to, first_lanes(count), _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
