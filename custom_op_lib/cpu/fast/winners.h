// Along a row of windows: the first input row that has each window's value receives its gradient.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

struct WindowRows {
    const float* const* maxima; // of the window's input rows, top to bottom
    float* const* sums;
    int count;
};

template <class T>
struct SmallRows {
    const T* output;
    const T* grad;
    int64_t count;
};

// One vector of windows; the lanes where `output` is not the window's maximum, or no number above -Inf.
template <int K>
inline Mask route(const WindowRows& rows, int64_t i, Floats output, Floats grad) {
    const int count = K > 0 ? K : rows.count;
    Mask found = none();
    Floats best = splat(-__builtin_inff());
    for (int row = 0; row < count; ++row) {
        const Floats maximum = load(rows.maxima[row] + i);
        const Mask same = equal(maximum, output);
        float* sums = rows.sums[row] + i;
        store(sums, load(sums) + only(without(same, found), grad));
        found = either(found, same);
        best = greatest(maximum, best);
    }
    return both(equal(best, output), greater(output, splat(-__builtin_inff())));
}

// False where some window has to be searched: its orig_output is not its maximum, or -Inf or NaN.
template <int K, class T>
inline bool route_row(const WindowRows& rows, const SmallRows<T>& small) {
    Mask wrong = none();
    int64_t i = 0;
    const Mask all = first_lanes(kLanes);
    for (; i + kLanes <= small.count; i += kLanes) {
        const Mask right = route<K>(rows, i, load(small.output + i), load(small.grad + i));
        wrong = either(wrong, without(all, right));
    }
    if (i < small.count) {
        const int64_t rest = small.count - i;
        const Mask right =
            route<K>(rows, i, load_part(small.output + i, rest), load_part(small.grad + i, rest));
        wrong = either(wrong, without(first_lanes(rest), right));
    }
    return !any(wrong);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
