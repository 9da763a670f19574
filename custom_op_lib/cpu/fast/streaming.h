// Rows that are stored past the caches.
#pragma once

#include "../simd/halves.h"
#if defined(__AVX512BW__)
#include "../simd/words_avx512.h" // store_or_stream below finds what is declared in front of it
#endif
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kLineBytes = 64;
constexpr int64_t kAheadBytes = 2048; // how far ahead of the loads memory is asked for

// The elements of a row in front of the first multiple of `bytes`.
template <class T>
inline int64_t before(const T* row, int64_t bytes) {
    const auto address =
        static_cast<int64_t>(reinterpret_cast<uintptr_t>(row) % static_cast<uintptr_t>(bytes));
    return (bytes - address) % bytes / static_cast<int64_t>(sizeof(T));
}

template <class T>
inline int64_t before_line(const T* row) {
    return before(row, kLineBytes);
}

template <class T>
inline int64_t before_vector(const T* row) {
    return before(row, sizeof(Floats));
}

template <bool streamed, class T, class V>
inline void store_or_stream(T* to, V value) {
    if constexpr (streamed) {
        stream(to, value);
    } else {
        store(to, value);
    }
}

// A part of a line, past the caches: the rows in front and behind fill its rest soon. Both pointers and the
// bytes are multiples of kStreamUnit.
template <class T>
inline void stream_bytes(T* to, const T* from, int64_t count) {
    constexpr int64_t each = kStreamUnit / static_cast<int64_t>(sizeof(T));
    for (int64_t i = 0; i < count; i += each) {
        stream_unit(to + i, from + i);
    }
}

template <class T>
inline void ask_ahead(const T* from) {
    __builtin_prefetch(reinterpret_cast<const char*>(from) + kAheadBytes);
}

// Into the second-level cache only: for streams so many that they push each other out of the first.
template <class T>
inline void ask_far_ahead(const T* from) {
    __builtin_prefetch(reinterpret_cast<const char*>(from) + 2 * kAheadBytes, 0, 2);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
