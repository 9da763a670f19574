// Neighbouring elements compared with one value: a bit for each that is equal to it, of several chunks in one
// word.
#pragma once

#include "lanes.h"
#include "unroll.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
// A vector's.
struct Chunk {
    static constexpr int kElements = kLanes;
    using Same = __mmask16;

    explicit Chunk(const float* value) : value_(_mm512_set1_ps(*value)) {}
    explicit Chunk(const uint16_t* value)
        : value_(_mm512_cvtph_ps(_mm256_set1_epi16(static_cast<int16_t>(*value)))) {}

    template <class T>
    Same same(const T* from) const {
        return equal(load(from), value_);
    }

    template <int N>
    static uint64_t joined(const Same* same) {
        if constexpr (N > 2) {
            return _mm512_kunpackd(static_cast<__mmask32>(joined<N - 2>(same + 2)),
                                   static_cast<__mmask32>(joined<2>(same)));
        } else {
            return N == 2 ? _mm512_kunpackw(same[N - 1], same[0]) : same[0];
        }
    }

private:
    const Floats value_;
};

// Half a vector's: it lies across two cache lines half as often.
struct HalfChunk {
    static constexpr int kElements = kLanes / 2;
    using Same = __mmask8;

    explicit HalfChunk(const float* value) : value_(_mm256_set1_ps(*value)) {}
    explicit HalfChunk(const uint16_t* value)
        : value_(_mm256_cvtph_ps(_mm_set1_epi16(static_cast<int16_t>(*value)))) {}

    Same same(const float* from) const { return equal(_mm256_loadu_ps(from)); }
    Same same(const uint16_t* from) const {
        return equal(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
    }

    template <int N>
    static uint64_t joined(const Same* same) {
        if constexpr (N > 4) {
            return _mm512_kunpackd(static_cast<__mmask32>(joined<N - 4>(same + 4)),
                                   static_cast<__mmask32>(joined<4>(same)));
        } else if constexpr (N > 2) {
            return _mm512_kunpackw(static_cast<__mmask16>(joined<N - 2>(same + 2)),
                                   static_cast<__mmask16>(joined<2>(same)));
        } else {
            return N == 2 ? _mm512_kunpackb(same[N - 1], same[0]) : same[0];
        }
    }

private:
    Same equal(__m256 elements) const { return _mm256_cmp_ps_mask(elements, value_, _CMP_EQ_OQ); }

    const __m256 value_;
};
#else
struct Chunk {
    static constexpr int kElements = kLanes;
    using Same = Mask;

    template <class T>
    explicit Chunk(const T* value) : value_(splat(number(*value))) {}

    template <class T>
    Same same(const T* from) const {
        return equal(load(from), value_);
    }

    template <int N>
    static uint64_t joined(const Same* same) {
        uint64_t bits = 0;
        for (int i = 0; i < N; ++i) {
            bits |= static_cast<uint64_t>(bits_of(same[i])) << (i * kLanes);
        }
        return bits;
    }

private:
    const Floats value_;
};
#endif

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
