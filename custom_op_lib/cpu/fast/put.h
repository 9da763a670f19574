// Gradients added at the places that they belong to, one by one.
#pragma once

#include "streaming.h"
#include "zeros.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// A line of windows: their steps in `places` and in grad.
struct Steps {
    int64_t count, place, grad;
};

// Windows that do not overlap: a place has one gradient at most. Places from `written` on are left out, those
// below 0, too.
template <class T>
inline void put(T* to, const int32_t* places, const T* grad, Steps steps, uint32_t written) {
    for (int64_t i = 0; i < steps.count; ++i) {
        const auto place = static_cast<uint32_t>(places[i * steps.place]);
        if (place < written) {
            to[place] = grad[i * steps.grad];
        }
    }
}

// Windows that overlap along one axis.
template <class T>
inline void add(float* sums, const int32_t* places, const T* grad, Steps steps, uint32_t written) {
    for (int64_t i = 0; i < steps.count; ++i) {
        const auto place = static_cast<uint32_t>(places[i * steps.place]);
        if (place < written) {
            sums[place] += number(grad[i * steps.grad]);
        }
    }
}

// A column of windows that overlap along both: its own sums first, in `column`, where zeros are left.
template <class T>
inline void add_column(float* sums, float* column, const int32_t* places, const T* grad, Steps steps,
                       uint32_t written) {
    add(column, places, grad, steps, written);
    for (int64_t i = 0; i < steps.count; ++i) {
        const auto place = static_cast<uint32_t>(places[i * steps.place]);
        if (place < written) {
            sums[place] += column[place];
            column[place] = 0;
        }
    }
}

// Past the caches. Both lie alike in their cache lines.
template <class T>
inline void stream_out(const T* from, T* to, int64_t count) {
    constexpr int64_t each = sizeof(Floats) / sizeof(T);
    const int64_t first = least(count, before_line(to));
    __builtin_memcpy(to, from, static_cast<size_t>(first) * sizeof(T));
    int64_t i = first;
    for (; i + each <= count; i += each) {
        stream(reinterpret_cast<float*>(to + i), load(reinterpret_cast<const float*>(from + i)));
    }
    __builtin_memcpy(to + i, from + i, static_cast<size_t>(count - i) * sizeof(T));
}

template <class T>
inline void round_to(const float* sums, T* to, int64_t count) {
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        store(to + i, load(sums + i));
    }
    if (i < count) {
        store_part(to + i, load_part(sums + i, count - i), count - i);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
