// two_by_two.h for planes so narrow that a vector holds several rows: W elements, a divisor of the lanes.
// With an even height all planes together are one tall plane.
#pragma once

#include "two_by_two.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Upper (half 0) or lower rows of the row pairs that two vectors hold.
template <int W, int half, class V, int... lane>
inline V rows_of_pairs(V a, V b, std::integer_sequence<int, lane...>) {
    return shuffle<((2 * (lane / W) + half) * W + lane % W)...>(a, b);
}

// The reverse: vector number `half` of the row pairs whose upper and lower rows these are.
template <int W, int half, class V, int... lane>
inline V pairs_of_rows(V upper, V lower, std::integer_sequence<int, lane...>) {
    constexpr int lanes = sizeof...(lane);
    return shuffle<((half * lanes + lane) / W % 2 * lanes + (half * lanes + lane) / W / 2 * W + lane % W)...>(
        upper, lower);
}

// Two vectors of input and their windows' values, each twice.
template <int W, class T, class V>
inline void write_rows(const T* input, V output, V grad, T* out_grad) {
    constexpr std::make_integer_sequence<int, kCount<T>> lanes{};
    const V a = keys(load_bits(input)), b = keys(load_bits(input + kCount<T>));
    const V above = rows_of_pairs<W, 0>(a, b, lanes), below = rows_of_pairs<W, 1>(a, b, lanes);
    const auto [top, bottom] = gradients(above, below, output, grad);
    store(out_grad, pairs_of_rows<W, 0>(top, bottom, lanes));
    store(out_grad + kCount<T>, pairs_of_rows<W, 1>(top, bottom, lanes));
}

template <class T, int W>
void narrow_two_by_two(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                       float*, const Redo&) {
    constexpr int lanes = kCount<T>;
    const int64_t large = first_element(job, job.large, begin) + row_begin * W;
    const int64_t small = first_element(job, job.small, begin) + row_begin / 2 * (W / 2);
    const T* input = static_cast<const T*>(job.orig_input) + large;
    const T* output = static_cast<const T*>(job.orig_output) + small;
    const T* grad = static_cast<const T*>(job.grad) + small;
    T* out_grad = static_cast<T*>(job.out_grad) + large;
    const int64_t windows = (end - begin) * (row_end - row_begin) / 2 * (W / 2);
    int64_t i = 0;
    for (; i + lanes <= windows; i += lanes) {
        const auto outputs = sought(keys(load_bits(output + i)));
        const auto grads = load_bits(grad + i);
        write_rows<W>(input + 4 * i, lower_twice(outputs), lower_twice(grads), out_grad + 4 * i);
        write_rows<W>(input + 4 * i + 2 * lanes, upper_twice(outputs), upper_twice(grads),
                      out_grad + 4 * i + 2 * lanes);
    }
    for (; i < windows; i += W / 2) {
        const T* row = input + 4 * i;
        T* to = out_grad + 4 * i;
        write_few(RowPair<T>{row, row + W, output + i, grad + i, to, to + W, W / 2, W / 2});
    }
}

template <int W>
bool narrow_fits(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    return w.input == W && h.input % 2 == 0 && w.output == W / 2 && h.output == h.input / 2 &&
           job.small.row_step == W / 2 && job.small.group_step == h.output * (W / 2) && !job.stream;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
