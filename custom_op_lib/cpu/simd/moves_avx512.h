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

// Where the mask says, lane i takes lane from[i] modulo the lanes; 0 elsewhere.
inline Floats permute_where(Mask where, Floats value, Ints from) {
    return _mm512_maskz_permutexvar_ps(where, bits(from), value);
}

inline Halves permute_where(HalfMask where, Halves value, Halves from) {
    return halves(_mm512_maskz_permutexvar_epi16(where, words(from), words(value)));
}

// The lanes' lowest bytes.
inline void store_bytes(uint8_t* to, Ints value) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(bits(value)));
}

// Those of the lanes that the mask says, side by side; what is stored behind them is undefined.
inline void store_packed_bytes(uint8_t* to, Mask where, Ints value) {
    store_bytes(to, reinterpret_cast<Ints>(_mm512_maskz_compress_epi32(where, bits(value))));
}

// The same of whole lanes. How many they are.
inline int64_t store_packed(void* to, Mask where, Ints value) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(where, bits(value)));
    return __builtin_popcount(_cvtmask16_u32(where));
}

// Of 16 x 16 bytes: which of a column differ from the next one below (of the last row, from 0), 16 bits a
// column.
inline void ends_of_columns(const uint8_t* from, uint64_t* ends) {
    const __m512i fours = _mm512_broadcast_i32x4( // 4 x 4 bytes, within every 16
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    const __m512i lanes = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i rows[4]; // four each: column 4 i + j of them is number i of the j-th 16 bytes
    for (int four = 0; four < 4; ++four) {
        const __m512i apart = _mm512_shuffle_epi8(_mm512_load_si512(from + 64 * four), fours);
        rows[four] = _mm512_shuffle_epi8(_mm512_permutexvar_epi32(lanes, apart), fours);
    }
    const __m512i upper[] = {_mm512_unpacklo_epi32(rows[0], rows[1]),
                             _mm512_unpackhi_epi32(rows[0], rows[1])};
    const __m512i lower[] = {_mm512_unpacklo_epi32(rows[2], rows[3]),
                             _mm512_unpackhi_epi32(rows[2], rows[3])};
    for (int four = 0; four < 4; ++four) {
        const __m512i columns = four % 2 == 0 ? _mm512_unpacklo_epi64(upper[four / 2], lower[four / 2])
                                              : _mm512_unpackhi_epi64(upper[four / 2], lower[four / 2]);
        ends[four] = _mm512_cmpneq_epi8_mask(columns, _mm512_bsrli_epi128(columns, 1));
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
