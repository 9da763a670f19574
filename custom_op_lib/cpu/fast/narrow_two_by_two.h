// two_by_two.h for planes so narrow that a vector holds several rows: W elements, a divisor of the lanes.
// With an even height all planes together are one tall plane.
#pragma once

#include "two_by_two.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Upper (half 0) or lower rows of the row pairs that two vectors hold.
template <int W, int half, int... lane>
inline Floats rows_of_pairs(Floats a, Floats b, std::integer_sequence<int, lane...>) {
    return shuffle<((2 * (lane / W) + half) * W + lane % W)...>(a, b);
}

// The reverse: vector number `half` of the row pairs whose upper and lower rows these are.
template <int W, int half, int... lane>
inline Floats pairs_of_rows(Floats upper, Floats lower, std::integer_sequence<int, lane...>) {
    return shuffle<((half * kLanes + lane) / W % 2 * kLanes + (half * kLanes + lane) / W / 2 * W +
                    lane % W)...>(upper, lower);
}

// Two vectors of input and their windows' values, each twice.
template <int W, class T>
inline void write_rows(const T* input, Floats output, Floats grad, T* out_grad) {
    constexpr std::make_integer_sequence<int, kLanes> lanes{};
    const Floats a = load(input), b = load(input + kLanes);
    const Winners winners =
        winners_of(rows_of_pairs<W, 0>(a, b, lanes), rows_of_pairs<W, 1>(a, b, lanes), output);
    const Floats upper = only(winners.top, grad), lower = only(winners.bottom, grad);
    store(out_grad, pairs_of_rows<W, 0>(upper, lower, lanes));
    store(out_grad + kLanes, pairs_of_rows<W, 1>(upper, lower, lanes));
}

template <class T, int W>
void narrow_two_by_two(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                       float*, const Redo&) {
    const int64_t large = first_element(job, job.large, begin) + row_begin * W;
    const int64_t small = first_element(job, job.small, begin) + row_begin / 2 * (W / 2);
    const T* input = static_cast<const T*>(job.orig_input) + large;
    const T* output = static_cast<const T*>(job.orig_output) + small;
    const T* grad = static_cast<const T*>(job.grad) + small;
    T* out_grad = static_cast<T*>(job.out_grad) + large;
    const int64_t windows = (end - begin) * (row_end - row_begin) / 2 * (W / 2);
    int64_t i = 0;
    for (; i + kLanes <= windows; i += kLanes) {
        const Floats outputs = load(output + i), grads = load(grad + i);
        write_rows<W>(input + 4 * i, lower_twice(outputs), lower_twice(grads), out_grad + 4 * i);
        write_rows<W>(input + 4 * i + 2 * kLanes, upper_twice(outputs), upper_twice(grads),
                      out_grad + 4 * i + 2 * kLanes);
    }
    for (; i < windows; i += W / 2) {
        const RowPair<T> rows{input + 4 * i, input + 4 * i + W, out_grad + 4 * i, out_grad + 4 * i + W};
        write_few(rows, output + i, grad + i, 0, W / 2);
    }
}

template <int W>
bool narrow_fits(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    return w.input == W && h.input % 2 == 0 && w.output == W / 2 && h.output == h.input / 2 &&
           job.small.row_step == W / 2 && !job.stream;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
