// Windows of 2 x 2 side by side without padding: every position lies in one window, so that a window's four
// comparisons tell its winner, and nothing is added up. Both rows of a row of windows together.
#pragma once

#include "../simd/halves.h"
#include "../simd/shuffles.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Which positions of a row have their window's value and come first of the two in the row; in the lower row,
// where none of the upper one's two has it. `output` holds each window's value twice, over its two columns.
template <class V>
inline auto winners(V row, V output) {
    const auto same = equal(row, output);
    return without(same, even_to_odd(same));
}

template <class V>
inline auto winners_below(V above, V row, V output) {
    const auto same = equal(above, output);
    return without(winners(row, output), either(either(same, even_to_odd(same)), odd_to_even(same)));
}

// A row of windows and its two input rows. `there`: windows that may be read, and gradients written, from the
// first of the row on; what is written behind the row belongs to rows that are written later.
template <class T>
struct RowPair {
    const T* top;
    const T* bottom;
    const T* output;
    const T* grad;
    T* top_grad;
    T* bottom_grad;
    int64_t windows, there;
};

// The gradients of a vector of positions in both rows.
template <class V>
struct Gradients {
    V top, bottom;
};

template <class V>
inline Gradients<V> gradients(V top, V bottom, V output, V grad) {
    return {only(winners(top, output), grad), only(winners_below(top, bottom, output), grad)};
}

// Half a vector of windows: a vector of positions from `at` on.
template <class T, class V>
inline Gradients<V> half(const RowPair<T>& rows, int64_t at, V output, V grad) {
    return gradients(keys(load_bits(rows.top + at)), keys(load_bits(rows.bottom + at)), output, grad);
}

template <class T>
inline void write_windows(const RowPair<T>& rows, int64_t i) {
    const auto output = sought(keys(load_bits(rows.output + i)));
    const auto grad = load_bits(rows.grad + i);
    const int64_t at = 2 * i, next = at + kCount<T>;
    const auto lower = half(rows, at, lower_twice(output), lower_twice(grad));
    store(rows.top_grad + at, lower.top);
    store(rows.bottom_grad + at, lower.bottom);
    const auto upper = half(rows, next, upper_twice(output), upper_twice(grad));
    store(rows.top_grad + next, upper.top);
    store(rows.bottom_grad + next, upper.bottom);
}

// Fewer windows than a vector has. The upper row first, which may write into the lower one.
template <class T>
inline void write_narrow(const RowPair<T>& rows) {
    const auto output = sought(keys(load_bits(rows.output)));
    const auto grad = load_bits(rows.grad);
    const auto lower = half(rows, 0, lower_twice(output), lower_twice(grad));
    store(rows.top_grad, lower.top);
    if (2 * rows.windows > kCount<T>) {
        const auto upper = half(rows, kCount<T>, upper_twice(output), upper_twice(grad));
        store(rows.top_grad + kCount<T>, upper.top);
        store(rows.bottom_grad + kCount<T>, upper.bottom);
    }
    store(rows.bottom_grad, lower.bottom);
}

template <class T, class V>
inline void write_part(const RowPair<T>& rows, int64_t at, V output, V grad, int64_t count) {
    if (count > 0) {
        const int64_t lanes = least(count, kCount<T>);
        const auto parts = gradients(keys(load_bits_part(rows.top + at, lanes)),
                                     keys(load_bits_part(rows.bottom + at, lanes)), output, grad);
        store_part(rows.top_grad + at, parts.top, lanes);
        store_part(rows.bottom_grad + at, parts.bottom, lanes);
    }
}

// As write_narrow, exactly the row's windows.
template <class T>
inline void write_few(const RowPair<T>& rows) {
    const auto output = sought(keys(load_bits_part(rows.output, rows.windows)));
    const auto grad = load_bits_part(rows.grad, rows.windows);
    write_part(rows, 0, lower_twice(output), lower_twice(grad), 2 * rows.windows);
    write_part(rows, kCount<T>, upper_twice(output), upper_twice(grad), 2 * rows.windows - kCount<T>);
}

template <class T>
inline void write_pair(const RowPair<T>& rows) {
    constexpr int lanes = kCount<T>;
    if (rows.windows >= lanes) {
        int64_t i = 0;
        for (; i + lanes <= rows.windows; i += lanes) {
            write_windows(rows, i);
        }
        if (i < rows.windows) { // some of them for the second time
            write_windows(rows, rows.windows - lanes);
        }
    } else if (rows.there >= lanes) {
        write_narrow(rows);
    } else {
        write_few(rows);
    }
}

struct Span {
    int64_t begin, end;
};

// Calls pair(RowPair) for the rows of windows of one plane's rows [begin, end), and writes zeros beside and
// below the windows. `behind`: planes of the same task behind it.
template <class T, class Pair>
inline void for_each_pair(const FastJob& job, int64_t plane, int64_t begin, int64_t end, int64_t behind,
                          const Pair& pair) {
    const int64_t width = job.w.input, windows = job.w.output;
    const int64_t large = first_element(job, job.large, plane);
    const int64_t small = first_element(job, job.small, plane);
    for (int64_t row = begin; row < end; row += 2) {
        T* to = static_cast<T*>(job.out_grad) + large + row * width;
        if (row + 1 == job.h.input) { // below the last window
            __builtin_memset(to, 0, static_cast<size_t>(width) * sizeof(T));
            continue;
        }
        const T* from = static_cast<const T*>(job.orig_input) + large + row * width;
        const int64_t first = small + row / 2 * job.small.row_step;
        const int64_t large_left = behind * job.large.group_step + (end - row - 1) * width;
        const int64_t small_left =
            behind * job.small.group_step + (end / 2 - row / 2 - 1) * job.small.row_step + windows;
        pair(RowPair<T>{from, from + width, static_cast<const T*>(job.orig_output) + first,
                        static_cast<const T*>(job.grad) + first, to, to + width, windows,
                        least(small_left, large_left / 2)});
        if (width % 2 != 0) { // right of the last window
            to[width - 1] = T{};
            to[2 * width - 1] = T{};
        }
    }
}

// As for_each_pair, for the rows of the planes [begin, end). Whole planes of an even height are one tall
// plane.
template <class T, class Pair>
inline void for_each_pair(const FastJob& job, Span planes, Span rows, const Pair& pair) {
    const int64_t height = job.h.input, count = planes.end - planes.begin;
    const bool whole = rows.begin == 0 && rows.end == height;
    const bool side_by_side = height % 2 == 0 && job.small.group_step == height / 2 * job.small.row_step;
    if (whole && side_by_side) {
        for_each_pair<T>(job, planes.begin, 0, count * height, 0, pair);
        return;
    }
    for (int64_t plane = planes.begin; plane < planes.end; ++plane) {
        for_each_pair<T>(job, plane, rows.begin, rows.end, whole ? planes.end - plane - 1 : 0, pair);
    }
}

template <class T>
void two_by_two(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end, float*,
                const Redo&) {
    for_each_pair<T>(job, {begin, end}, {row_begin, row_end},
                     [](const RowPair<T>& rows) { write_pair(rows); });
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
