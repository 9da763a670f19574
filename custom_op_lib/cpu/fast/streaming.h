// Rows that are stored past the caches.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kLineBytes = 64;
constexpr int64_t kAheadBytes = 4096; // how far ahead of the loads memory is asked for

// The elements in front of the first cache line that begins in a row.
template <class T>
inline int64_t before_line(const T* row) {
    const auto address = static_cast<int64_t>(reinterpret_cast<uintptr_t>(row) % kLineBytes);
    return (kLineBytes - address) % kLineBytes / static_cast<int64_t>(sizeof(T));
}

template <bool streamed, class T>
inline void store_or_stream(T* to, Floats value) {
    if constexpr (streamed) {
        stream(to, value);
    } else {
        store(to, value);
    }
}

template <class T>
inline void ask_ahead(const T* from) {
    __builtin_prefetch(reinterpret_cast<const char*>(from) + kAheadBytes);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
