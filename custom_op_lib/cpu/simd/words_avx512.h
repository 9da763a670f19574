// Vectors of binary16 as long as those of floats, for AVX-512 BW and VL: half as wide, so that a lane of one
// belongs to a lane of the other, and compared as they lie in memory.
#pragma once

#include "shuffles.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

typedef int16_t Words __attribute__((vector_size(2 * kLanes)));

template <>
struct Index<Words> {
    using Type = Words;
};

inline __m256i words(Words value) {
    return reinterpret_cast<__m256i>(value);
}

inline Words words(__m256i value) {
    return reinterpret_cast<Words>(value);
}

inline Words splat_word(int16_t word) {
    return words(_mm256_set1_epi16(word));
}

inline Words load_words(const uint16_t* from) {
    return words(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}

// The first `count` elements, NaN behind them.
inline Words load_words_part(const uint16_t* from, int64_t count) {
    return words(_mm256_mask_loadu_epi16(_mm256_set1_epi16(0x7e00), first_lanes(count), from));
}

// 0 where the mask is not set.
inline Words load_words_only(Mask where, const uint16_t* from) {
    return words(_mm256_maskz_loadu_epi16(where, from));
}

inline void store(uint16_t* to, Words value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), words(value));
}

inline void stream(uint16_t* to, Words value) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), words(value));
}

inline void store_part(uint16_t* to, Words value, int64_t count) {
    _mm256_mask_storeu_epi16(to, first_lanes(count), words(value));
}

inline Mask equal(Words a, Words b) {
    return _mm256_cmpeq_epi16_mask(words(a), words(b));
}

inline Words pick(Mask where, Words a, Words b) {
    return words(_mm256_mask_mov_epi16(words(b), where, words(a)));
}

inline Words lowest(Words a, Words b) {
    return words(_mm256_min_epi16(words(a), words(b)));
}

// All bits of a lane or none. (The compiler's own comparison would make a mask and a vector of it.)
inline Words where_equal(Words a, Words b) {
    return words(_mm256_cmpeq_epi16(words(a), words(b)));
}

inline Words where_greater(Words a, Words b) {
    return words(_mm256_cmpgt_epi16(words(a), words(b)));
}

inline Words pick(Words where, Words a, Words b) {
    return words(_mm256_ternarylogic_epi32(words(where), words(a), words(b), 0xca));
}

inline Words without(Words a, Words b) {
    return words(_mm256_andnot_si256(words(b), words(a)));
}

inline Floats values(Words bits) {
    return _mm512_cvtph_ps(words(bits));
}

// To nearest even.
inline Words rounded(Floats value) {
    return words(_mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
