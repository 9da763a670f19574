// Vectors of binary16 for AVX-512 BW. The same functions as in halves_vector.h.
#pragma once

#include "halves.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

using HalfMask = __mmask32;

inline __m512i words(Halves value) {
    return reinterpret_cast<__m512i>(value);
}

inline Halves halves(__m512i value) {
    return reinterpret_cast<Halves>(value);
}

inline Halves splat_key(int16_t key) {
    return halves(_mm512_set1_epi16(key));
}

inline Halves load_bits(const uint16_t* from) {
    return halves(_mm512_loadu_si512(from));
}

inline void store(uint16_t* to, Halves bits) {
    _mm512_storeu_si512(to, words(bits));
}

inline void stream(uint16_t* to, Halves bits) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), words(bits));
}

inline HalfMask greater(Halves a, Halves b) {
    return _mm512_cmpgt_epi16_mask(words(a), words(b));
}

inline HalfMask equal(Halves a, Halves b) {
    return _mm512_cmpeq_epi16_mask(words(a), words(b));
}

inline HalfMask both(HalfMask a, HalfMask b) {
    return _kand_mask32(a, b);
}

inline HalfMask without(HalfMask a, HalfMask b) {
    return _kandn_mask32(b, a);
}

inline HalfMask either(HalfMask a, HalfMask b) {
    return _kor_mask32(a, b);
}

inline Halves pick(HalfMask where, Halves a, Halves b) {
    return halves(_mm512_mask_mov_epi16(words(b), where, words(a)));
}

inline Halves only(HalfMask where, Halves a) {
    return halves(_mm512_maskz_mov_epi16(where, words(a)));
}

inline HalfMask first_halves(int64_t count) {
    return count >= kHalfLanes ? 0xffffffffu : (1u << count) - 1u;
}

// What even lanes say, in the odd lanes behind them; what odd lanes say, in the even lanes before them.
inline HalfMask even_to_odd(HalfMask mask) {
    return (mask & 0x55555555u) << 1;
}

inline HalfMask odd_to_even(HalfMask mask) {
    return (mask >> 1) & 0x55555555u;
}

// Negative values count down from zero.
inline Halves keys(Halves bits) {
    const __m512i shifted = _mm512_add_epi16(words(bits), _mm512_set1_epi16(kKeyShift));
    const __m512i zero = _mm512_set1_epi16(static_cast<int16_t>(0x8000 + kKeyShift));
    return halves(_mm512_mask_sub_epi16(shifted, _mm512_movepi16_mask(words(bits)), zero, words(bits)));
}

inline Halves greatest(Halves a, Halves b) {
    return halves(_mm512_max_epi16(words(a), words(b)));
}

inline bool any(HalfMask mask) {
    return mask != 0;
}

// The values of the first half of the lanes, and of the second.
inline Floats lower_values(Halves bits) {
    return _mm512_cvtph_ps(_mm512_castsi512_si256(words(bits)));
}

inline Floats upper_values(Halves bits) {
    return _mm512_cvtph_ps(_mm512_extracti64x4_epi64(words(bits), 1));
}

// To nearest even.
inline Halves rounded(Floats lower, Floats upper) {
    const __m256i low = _mm512_cvtps_ph(lower, _MM_FROUND_TO_NEAREST_INT);
    const __m256i high = _mm512_cvtps_ph(upper, _MM_FROUND_TO_NEAREST_INT);
    return halves(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
}

// The first `count` lanes, a multiple of kPieceLanes, past the caches.
constexpr int64_t kPieceLanes = 16;

inline void stream_pieces(uint16_t* to, Halves bits, int64_t count) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), _mm512_castsi512_si256(words(bits)));
    if (count > kPieceLanes) {
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to + kPieceLanes),
                            _mm512_extracti64x4_epi64(words(bits), 1));
    }
}

// The first `count` elements, NaN behind them.
inline Halves load_bits_part(const uint16_t* from, int64_t count) {
    return halves(_mm512_mask_loadu_epi16(_mm512_set1_epi16(0x7e00), first_halves(count), from));
}

inline void store_part(uint16_t* to, Halves bits, int64_t count) {
    _mm512_mask_storeu_epi16(to, first_halves(count), words(bits));
}

// What values are compared with as they lie in memory: both zeros are equal, NaN equals nothing.
struct SoughtHalves {
    Halves bits, counted; // which of a value's bits count
    HalfMask numbers;
};

inline SoughtHalves sought_bits(Halves bits) {
    const __m512i size = _mm512_set1_epi16(0x7fff);
    const HalfMask zero = _mm512_testn_epi16_mask(words(bits), size);
    const HalfMask numbers =
        _mm512_cmple_epu16_mask(_mm512_and_si512(words(bits), size), _mm512_set1_epi16(0x7c00));
    return {bits, pick(zero, halves(size), splat_key(-1)), numbers};
}

inline HalfMask equal(Halves bits, const SoughtHalves& value) {
    const __m512i others = _mm512_xor_si512(words(bits), words(value.bits));
    return _mm512_mask_testn_epi16_mask(value.numbers, others, words(value.counted));
}

// Floats are compared as they are.
inline Floats sought_bits(Floats values) {
    return values;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
