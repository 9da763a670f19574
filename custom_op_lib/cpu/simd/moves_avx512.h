// What only AVX-512 does in an instruction or two: lanes moved by numbers that are not known when it is
// compiled, comparisons under a mask, lanes packed together, bytes.
#pragma once

#include "halves.h"

#include <cstring>

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

inline __m512i bits(Ints value) {
    return reinterpret_cast<__m512i>(value);
}

inline Ints lane_numbers() {
    return Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

// Lane i takes lane from[i] % 16.
inline Floats permute(Floats value, Ints from) {
    return _mm512_permutexvar_ps(bits(from), value);
}

inline Ints permute(Ints value, Ints from) {
    return reinterpret_cast<Ints>(_mm512_permutexvar_epi32(bits(from), bits(value)));
}

// 0 where the mask is not set.
inline Ints permute_where(Mask where, Ints value, Ints from) {
    return reinterpret_cast<Ints>(_mm512_maskz_permutexvar_epi32(where, bits(from), bits(value)));
}

inline Ints only(Mask where, Ints a) {
    return reinterpret_cast<Ints>(_mm512_maskz_mov_epi32(where, bits(a)));
}

inline Ints greatest_unsigned(Ints a, Ints b) {
    return reinterpret_cast<Ints>(_mm512_maskz_max_epu32(first_lanes(kLanes), bits(a), bits(b)));
}

// Of `value`, the bits `where` replaced by `flipped`, which flips the sign's bit, too.
inline Ints put_bits_flip_sign(Ints value, Ints where, Ints flipped) {
    constexpr int kAndNotXor = 0x9c; // (value & ~where) ^ flipped
    return reinterpret_cast<Ints>(
        _mm512_ternarylogic_epi32(bits(value), bits(flipped), bits(where), kAndNotXor));
}

// The bits `of` that `value` has not.
inline Ints without_bits(Ints of, Ints value) {
    return reinterpret_cast<Ints>(_mm512_andnot_si512(bits(value), bits(of)));
}

// value | more in the lanes `where`, `value` elsewhere.
inline Ints either_where(Mask where, Ints value, Ints more) {
    return reinterpret_cast<Ints>(_mm512_mask_or_epi32(bits(value), where, bits(value), bits(more)));
}

// Of the lanes `where`, those where a equals b.
inline Mask equal_where(Mask where, Ints a, Ints b) {
    return _mm512_mask_cmpeq_epi32_mask(where, bits(a), bits(b));
}

// All bits so far and, in the lanes `where`, those that a and b differ in.
inline Ints gather_differences(Mask where, Ints so_far, Ints a, Ints b) {
    constexpr int kOrXor = 0xf6; // so_far | (a ^ b)
    return reinterpret_cast<Ints>(
        _mm512_mask_ternarylogic_epi32(bits(so_far), where, bits(a), bits(b), kOrXor));
}

inline bool any(Ints value) {
    return _mm512_test_epi32_mask(bits(value), bits(value)) != 0;
}

// Also where one of them is NaN.
inline Mask not_greater(Floats a, Floats b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_NGT_UQ);
}

inline Mask unequal_where(Mask where, Floats a, Floats b) {
    return _mm512_mask_cmp_ps_mask(where, a, b, _CMP_NEQ_UQ);
}

// Lane i is from[index[i]], 0 where the mask is not set and nothing is read.
inline Floats load_at(const float* from, Ints index, Mask where) {
    return _mm512_mask_i32gather_ps(Floats{}, where, bits(index), from, sizeof(float));
}

inline Mask greater_where(Mask where, Floats a, Floats b) {
    return _mm512_mask_cmp_ps_mask(where, a, b, _CMP_GT_OQ);
}

// False where either is NaN.
inline Mask not_below(Floats a, Floats b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}

// a + b there, `other` elsewhere.
inline Ints add_where(Mask where, Ints other, Ints a, Ints b) {
    return reinterpret_cast<Ints>(_mm512_mask_add_epi32(bits(other), where, bits(a), bits(b)));
}

inline Floats smallest(Floats a, Floats b) {
    return _mm512_min_ps(a, b);
}

// Nothing is read where the mask is not set; `other` is there.
inline Floats load_where(Mask where, const float* from, float other) {
    return _mm512_mask_loadu_ps(splat(other), where, from);
}

inline Floats load_where(Mask where, const uint16_t* from, float other) {
    const Floats value = _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(where, from));
    return pick(where, value, splat(other));
}

// The same for vectors as they lie in memory; 0 where the mask is not set.
inline Floats load_where(Mask where, const float* from) {
    return _mm512_maskz_loadu_ps(where, from);
}

inline Halves load_where(HalfMask where, const uint16_t* from) {
    return halves(_mm512_maskz_loadu_epi16(where, from));
}

inline void store_where(Mask where, float* to, Floats value) {
    _mm512_mask_storeu_ps(to, where, value);
}

inline void store_where(HalfMask where, uint16_t* to, Halves value) {
    _mm512_mask_storeu_epi16(to, where, words(value));
}

inline void store_where(Mask where, uint16_t* to, Floats value) {
    _mm256_mask_storeu_epi16(to, where, _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

// Where the mask says, lane i takes lane from[i] modulo the lanes; 0 elsewhere.
inline Floats permute_where(Mask where, Floats value, Ints from) {
    return _mm512_maskz_permutexvar_ps(where, bits(from), value);
}

inline Halves permute_where(HalfMask where, Halves value, Halves from) {
    return halves(_mm512_maskz_permutexvar_epi16(where, words(from), words(value)));
}

// The elements' bits, 0 where the mask is not set.
inline Ints load_bits_where(Mask where, const float* from) {
    return reinterpret_cast<Ints>(_mm512_maskz_loadu_epi32(where, from));
}

inline Ints load_bits_where(Mask where, const uint16_t* from) {
    return reinterpret_cast<Ints>(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(where, from)));
}

// The lanes' lower halves.
inline void store_words(uint16_t* to, Ints value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(bits(value)));
}

// Those of the lanes that the mask says, side by side; what is stored behind them is undefined.
inline void store_packed_words(uint16_t* to, Mask where, Ints value) {
    store_words(to, reinterpret_cast<Ints>(_mm512_maskz_compress_epi32(where, bits(value))));
}

// The same of whole lanes. How many they are.
inline int64_t store_packed(void* to, Mask where, Ints value) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(where, bits(value)));
    return __builtin_popcount(_cvtmask16_u32(where));
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
