// The place of each window's first position that equals its value, as the specification looks for it: word
// after word of the window's rectangle, the lowest bit first.
#pragma once

#include "../simd/chunks.h"
#include "rectangles.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int32_t kNowhere = INT32_MIN;

// Windows along one axis; their step in orig_output.
struct Lines {
    const Line* at;
    int64_t count, step;
};

// Windows of some planes, one after the other: `outer` times `inner` of a plane, the inner ones first.
template <class T>
struct Windows {
    const T* input;
    const T* output;
    int64_t planes, input_step, output_step;
    Lines outer, inner;
    const int32_t* rectangles;
    int64_t words;
    int64_t last;  // the last element from which whole chunks may be read
    int64_t first; // the element from which places count
};

template <class Piece, class T>
[[gnu::noinline]] inline int32_t one_by_one(const T* from, const int32_t* word, int64_t words, float value,
                                            int64_t first) {
    using Table = Rectangles<Piece::kElements>;
    for (; words > 0; --words, word += Table::kWordInts) {
        for (uint64_t left = Table::inside(word); left != 0; left &= left - 1) {
            const int64_t at = Table::place(word, left);
            if (number(from[at]) == value) {
                return static_cast<int32_t>(first + at);
            }
        }
    }
    return kNowhere;
}

// N chunks of a word, or kChunks of every word.
template <class Piece, int N, class T>
[[gnu::always_inline]] inline int32_t first_equal(const T* from, const int32_t* word, int64_t words,
                                                  const T* value, int64_t first) {
    using Table = Rectangles<Piece::kElements>;
    const Piece piece(value);
    while (true) {
        typename Piece::Same same[N];
        unroll<N>([&](auto chunk) {
            same[chunk] =
                piece.same(from + (N < Table::kChunks && chunk == 0 ? 0 : Table::chunk(word, chunk)));
        });
        const uint64_t found = Piece::template joined<N>(same) & Table::inside(word);
        if (found != 0) {
            return static_cast<int32_t>(first +
                                        (N == 1 ? __builtin_ctzll(found) : Table::place(word, found)));
        }
        if (N < Table::kChunks || --words == 0) {
            return kNowhere;
        }
        word += Table::kWordInts;
    }
}

// Counted from `first` on.
template <class Piece, int N, class T>
void first_places(const Windows<T>& windows, int32_t* places) {
    const Windows<T> w = windows;
    for (int64_t plane = 0; plane < w.planes; ++plane) {
        for (int64_t outer = 0; outer < w.outer.count; ++outer) {
            const Line line = w.outer.at[outer];
            const int64_t begin = plane * w.input_step + line.first;
            const T* output = w.output + plane * w.output_step + outer * w.outer.step;
            const T* input = w.input + begin;
            const int64_t first = begin - w.first;
            const int32_t* rectangles = w.rectangles + line.rectangle;
            int64_t safe = w.inner.count;
            while (safe > 0 && w.inner.at[safe - 1].first > w.last - begin) {
                --safe;
            }
            for (int64_t inner = 0; inner < safe; ++inner, output += w.inner.step) {
                const Line at = w.inner.at[inner];
                *places++ = first_equal<Piece, N>(input + at.first, rectangles + at.rectangle, w.words,
                                                  output, first + at.first);
            }
            for (int64_t inner = safe; inner < w.inner.count; ++inner, output += w.inner.step) {
                const Line at = w.inner.at[inner];
                *places++ = one_by_one<Piece>(input + at.first, rectangles + at.rectangle, w.words,
                                              number(*output), first + at.first);
            }
        }
    }
}

#if defined(__AVX512BW__)
// Whether half a vector's chunks are as few, or few enough.
inline bool half_chunks_do(const FastJob& job) {
    const int64_t halves = most_chunks(job, HalfChunk::kElements);
    return halves <= 64 / HalfChunk::kElements && 5 * halves <= 8 * most_chunks(job, Chunk::kElements);
}
#endif

template <class T>
using FirstPlaces = void (*)(const Windows<T>&, int32_t*);

template <class Piece, class T, int... number>
FirstPlaces<T> first_places_of(int64_t chunks, std::integer_sequence<int, number...>) {
    constexpr FirstPlaces<T> all[] = {&first_places<Piece, number + 1, T>...};
    constexpr int64_t most_known = sizeof...(number);
    return chunks <= most_known ? all[chunks - 1] : &first_places<Piece, 64 / Piece::kElements, T>;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
