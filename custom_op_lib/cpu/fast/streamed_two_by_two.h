// two_by_two.h for tensors that are too large for the caches: one row is written past them after the other.
// Two rows in turn take longer to reach the memory than it takes to look at the upper one again.
#pragma once

#include "streaming.h"
#include "two_by_two.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kLongRow = 256; // bytes, where what is special about a row's ends does not count

// A vector of positions in the upper or the lower row.
template <bool lower, class T, class V>
inline V won(const RowPair<T>& rows, int64_t at, V output, V grad) {
    const V top = keys(load_bits(rows.top + at));
    if constexpr (lower) {
        return only(winners_below(top, keys(load_bits(rows.bottom + at)), output), grad);
    } else {
        return only(winners(top, output), grad);
    }
}

template <bool lower, class T>
inline void stream_windows(const RowPair<T>& rows, int64_t i) {
    const auto output = sought(keys(load_bits(rows.output + i)));
    const auto grad = load_bits(rows.grad + i);
    const int64_t at = 2 * i, next = at + kCount<T>;
    T* to = lower ? rows.bottom_grad : rows.top_grad;
    const T* from = lower ? rows.bottom : rows.top;
    ask_ahead(from + at);
    ask_ahead(from + next);
    stream(to + at, won<lower>(rows, at, lower_twice(output), lower_twice(grad)));
    stream(to + next, won<lower>(rows, next, upper_twice(output), upper_twice(grad)));
}

// The positions [begin, end), no more than two vectors, of the vector of windows that begins at `i`.
template <bool lower, class T>
inline void stream_part(const RowPair<T>& rows, int64_t i, int64_t begin, int64_t end) {
    const auto output = sought(keys(load_bits(rows.output + i)));
    const auto grad = load_bits(rows.grad + i);
    const int64_t at = 2 * i, next = at + kCount<T>;
    alignas(kLineBytes) T part[2 * kCount<T>];
    store(part, won<lower>(rows, at, lower_twice(output), lower_twice(grad)));
    store(part + kCount<T>, won<lower>(rows, next, upper_twice(output), upper_twice(grad)));
    stream_bytes((lower ? rows.bottom_grad : rows.top_grad) + begin, part + begin - at, end - begin);
}

template <bool lower, class T>
inline void stream_row(const RowPair<T>& rows) {
    constexpr int lanes = kCount<T>;
    const int64_t first = before_vector(lower ? rows.bottom_grad : rows.top_grad), end = 2 * rows.windows;
    int64_t i = first / 2;
    if (first > 0) {
        stream_part<lower>(rows, 0, 0, first);
    }
    for (; i + lanes <= rows.windows; i += lanes) {
        stream_windows<lower>(rows, i);
    }
    if (i < rows.windows) {
        stream_part<lower>(rows, rows.windows - lanes, 2 * i, end);
    }
}

// Rows are long, and begin where the pieces of a line begin that can be streamed.
template <class T>
bool streamed_two_by_two_fits(const FastJob& job) {
    const auto address = reinterpret_cast<uintptr_t>(job.out_grad);
    const int64_t bytes = job.w.input * static_cast<int64_t>(sizeof(T));
    return job.stream && bytes >= kLongRow && bytes % kStreamUnit == 0 && address % kStreamUnit == 0;
}

template <class T>
void streamed_two_by_two(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                         float*, const Redo&) {
    for_each_pair<T>(job, {begin, end}, {row_begin, row_end}, [](const RowPair<T>& rows) {
        stream_row<false>(rows);
        stream_row<true>(rows);
    });
    end_streams();
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
