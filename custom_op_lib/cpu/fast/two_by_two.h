// Windows of 2 x 2 side by side without padding: every position lies in one window, so that a window's four
// comparisons tell its winner, and nothing is added up.
#pragma once

#include "../simd/shuffles.h"
#include "layout.h"
#include "streaming.h"

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

template <bool streamed, class T>
inline void write_whole(const RowPair<T>& rows, int64_t at, Floats output, Floats grad) {
    const Winners winners = winners_of(load(rows.top + at), load(rows.bottom + at), output);
    store_or_stream<streamed>(rows.top_grad + at, only(winners.top, grad));
    store_or_stream<streamed>(rows.bottom_grad + at, only(winners.bottom, grad));
    if constexpr (streamed) {
        ask_ahead(rows.top + at);
        ask_ahead(rows.bottom + at);
    }
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

// The windows [i, end), fewer than a vector has.
template <class T>
inline void write_few(const RowPair<T>& rows, const T* output, const T* grad, int64_t i, int64_t end) {
    if (i < end) {
        const int64_t count = end - i;
        const Floats outputs = load_part(output + i, count), grads = load_part(grad + i, count);
        write_part(rows, 2 * i, lower_twice(outputs), lower_twice(grads), 2 * count);
        write_part(rows, 2 * i + kLanes, upper_twice(outputs), upper_twice(grads), 2 * count - kLanes);
    }
}

template <bool streamed, class T>
inline void write_pair(const RowPair<T>& rows, const T* output, const T* grad, int64_t i, int64_t windows) {
    for (; i + kLanes <= windows; i += kLanes) {
        const Floats outputs = load(output + i), grads = load(grad + i);
        write_whole<streamed>(rows, 2 * i, lower_twice(outputs), lower_twice(grads));
        write_whole<streamed>(rows, 2 * i + kLanes, upper_twice(outputs), upper_twice(grads));
    }
    write_few(rows, output, grad, i, windows);
}

// Streams where both rows reach a cache line's boundary after the same number of whole windows.
template <class T>
inline void write_streamed(const RowPair<T>& rows, const T* output, const T* grad, int64_t windows) {
    const int64_t first = before_line(rows.top_grad);
    const bool alike = first == before_line(rows.bottom_grad) && first % 2 == 0 && first < 2 * windows;
    if (!alike) {
        write_pair<false>(rows, output, grad, 0, windows);
        return;
    }
    for (int64_t i = 0; i < first / 2; i += kLanes) {
        write_few(rows, output, grad, i, least(first / 2, i + kLanes));
    }
    write_pair<true>(rows, output, grad, first / 2, windows);
}

// Rows [begin, end) of one plane.
template <class T>
inline void write_plane(const FastJob& job, const T* input, const T* output, const T* grad, T* out_grad,
                        int64_t begin, int64_t end) {
    const int64_t width = job.w.input, windows = job.w.output;
    for (int64_t row = begin; row < end; row += 2) {
        T* to = out_grad + row * width;
        if (row + 1 == job.h.input) { // below the last window
            __builtin_memset(to, 0, static_cast<size_t>(width) * sizeof(T));
            continue;
        }
        const RowPair<T> rows{input + row * width, input + (row + 1) * width, to, to + width};
        const int64_t small = row / 2 * job.small.row_step;
        if (job.stream) {
            write_streamed(rows, output + small, grad + small, windows);
        } else {
            write_pair<false>(rows, output + small, grad + small, 0, windows);
        }
        if (width % 2 != 0) { // right of the last window
            to[width - 1] = T{};
            to[2 * width - 1] = T{};
        }
    }
}

template <class T>
void two_by_two(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end, float*,
                const Redo&) {
    for (int64_t plane = begin; plane < end; ++plane) {
        const int64_t large = first_element(job, job.large, plane);
        const int64_t small = first_element(job, job.small, plane);
        write_plane(job, static_cast<const T*>(job.orig_input) + large,
                    static_cast<const T*>(job.orig_output) + small, static_cast<const T*>(job.grad) + small,
                    static_cast<T*>(job.out_grad) + large, row_begin, row_end);
    }
    end_streams();
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
