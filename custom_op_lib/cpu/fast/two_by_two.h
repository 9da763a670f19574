// Windows of 2 x 2 side by side without padding: every position lies in one window, so that a window's four
// comparisons tell its winner, and nothing is added up.
#pragma once

#include "../simd/shuffles.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

struct Winners {
    Mask top, bottom;
};

// `output` holds each window's value twice, over its two columns.
inline Winners winners_of(Floats top, Floats bottom, Floats output) {
    const Mask above = equal(top, output), below = equal(bottom, output);
    const Mask in_row = even_to_odd(above);
    const Mask in_pair = either(either(above, in_row), odd_to_even(above));
    return {without(above, in_row), without(without(below, even_to_odd(below)), in_pair)};
}

template <class T>
struct RowPair {
    const T* top;
    const T* bottom;
    T* top_grad;
    T* bottom_grad;
};

template <class T>
inline void write_whole(const RowPair<T>& rows, int64_t at, Floats output, Floats grad) {
    const Winners winners = winners_of(load(rows.top + at), load(rows.bottom + at), output);
    store(rows.top_grad + at, only(winners.top, grad));
    store(rows.bottom_grad + at, only(winners.bottom, grad));
}

template <class T>
inline void write_part(const RowPair<T>& rows, int64_t at, Floats output, Floats grad, int64_t count) {
    if (count > 0) {
        const int64_t lanes = least(count, kLanes);
        const Winners winners =
            winners_of(load_part(rows.top + at, lanes), load_part(rows.bottom + at, lanes), output);
        store_part(rows.top_grad + at, only(winners.top, grad), lanes);
        store_part(rows.bottom_grad + at, only(winners.bottom, grad), lanes);
    }
}

template <class T>
inline void write_pair(const RowPair<T>& rows, const T* output, const T* grad, int64_t windows) {
    int64_t i = 0;
    for (; i + kLanes <= windows; i += kLanes) {
        const Floats outputs = load(output + i), grads = load(grad + i);
        write_whole(rows, 2 * i, lower_twice(outputs), lower_twice(grads));
        write_whole(rows, 2 * i + kLanes, upper_twice(outputs), upper_twice(grads));
    }
    if (i < windows) {
        const int64_t rest = windows - i;
        const Floats outputs = load_part(output + i, rest), grads = load_part(grad + i, rest);
        write_part(rows, 2 * i, lower_twice(outputs), lower_twice(grads), 2 * rest);
        write_part(rows, 2 * i + kLanes, upper_twice(outputs), upper_twice(grads), 2 * rest - kLanes);
    }
}

template <class T>
void two_by_two(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end, float*,
                const Redo&) {
    const int64_t width = job.w.input, windows = job.w.output;
    for (int64_t plane = begin; plane < end; ++plane) {
        const T* input = static_cast<const T*>(job.orig_input) + plane * job.large.group_step;
        const T* output = static_cast<const T*>(job.orig_output) + plane * job.small.group_step;
        const T* grad = static_cast<const T*>(job.grad) + plane * job.small.group_step;
        T* out_grad = static_cast<T*>(job.out_grad) + plane * job.large.group_step;
        for (int64_t row = row_begin; row < row_end; row += 2) {
            const T* top = input + row * width;
            T* to = out_grad + row * width;
            if (row + 1 == job.h.input) { // below the last window
                for (int64_t column = 0; column < width; ++column) {
                    to[column] = T{};
                }
                continue;
            }
            const RowPair<T> rows{top, top + width, to, to + width};
            write_pair(rows, output + row / 2 * windows, grad + row / 2 * windows, windows);
            if (width % 2 != 0) { // right of the last window
                to[width - 1] = T{};
                to[2 * width - 1] = T{};
            }
        }
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
