// Gradients added at the places that they belong to, one by one.
#pragma once

#include "layout.h"

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

template <class T>
inline void set_zero(T* to, int64_t count) {
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        store(to + i, Floats{});
    }
    if (i < count) {
        store_part(to + i, Floats{}, count - i);
    }
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
