// One row of float16 windows three wide and two apart: its maxima and first taps, and its gradients from the
// sums that it has won. P is the padding, 0 or 1.
#pragma once

#include "../simd/half_shuffles.h"
#include "../simd/unroll.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// A vector of windows on a row: the key of the maximum, NaN left out, and which tap has it first.
struct HalfRow {
    Halves best;
    HalfMask tap[3];
};

inline HalfRow half_row(Halves first, Halves second, Halves third) {
    const Halves best = greatest(first, second);
    const HalfMask in_second = greater(second, first), in_third = greater(third, best);
    const HalfMask not_first = either(in_second, in_third);
    return {greatest(best, third),
            {without(first_halves(kHalfLanes), not_first), without(in_second, in_third), in_third}};
}

// What of a row there is to read: columns, and elements up to the end of the tensor.
struct HalfInput {
    const uint16_t* row;
    int64_t width, there;
};

// A vector of columns, as keys; NaN outside of the row.
inline Halves load_columns(const HalfInput& from, int64_t first) {
    const int64_t count = from.width - first;
    const Halves nan = splat_key(0x7e00);
    if (count >= kHalfLanes) {
        return keys(load_bits(from.row + first));
    }
    if (count <= 0) {
        return keys(nan);
    }
    const bool whole = from.there - first >= kHalfLanes;
    return keys(whole ? pick(first_halves(count), load_bits(from.row + first), nan)
                      : load_bits_part(from.row + first, count));
}

// Two vectors of columns, taken apart.
struct Columns {
    Halves even, odd;
};

inline Columns columns(const HalfInput& from, int64_t first) {
    const Halves a = load_columns(from, first), b = load_columns(from, first + kHalfLanes);
    return {evens(a, b), odds(a, b)};
}

// An input row's windows, `vectors` of them.
template <int P>
inline void read_row(const HalfInput& from, int64_t vectors, HalfRow* to) {
    Columns next = P == 0 ? columns(from, 0) : Columns{};
    Halves before = splat_key(kNoKey);
    for (int64_t v = 0; v < vectors; ++v) {
        const int64_t first = v * 2 * kHalfLanes;
        ask_ahead(from.row + first);
        ask_ahead(from.row + first + kHalfLanes);
        if constexpr (P == 1) { // taps: the column before, even, odd
            const Columns now = columns(from, first);
            to[v] = half_row(one_behind(before, now.odd), now.even, now.odd);
            before = now.odd;
        } else { // taps: even, odd, the column behind
            const Columns now = next;
            next = columns(from, first + 2 * kHalfLanes);
            to[v] = half_row(now.even, now.odd, one_ahead(now.even, next.even));
        }
    }
}

// The sums in float32 that a vector of windows has won on a row, by the tap that takes them.
struct TapSums {
    Floats lower[3], upper[3];
};

inline TapSums tap_sums(const HalfRow& row, Floats lower, Floats upper) {
    TapSums sums;
    unroll<3>([&](auto tap) {
        sums.lower[tap] = only(lower_half(row.tap[tap]), lower);
        sums.upper[tap] = only(upper_half(row.tap[tap]), upper);
    });
    return sums;
}

// The same where a sum is one gradient, as it was given.
struct TapGrads {
    Halves grad[3];
};

inline TapGrads tap_grads(const HalfRow& row, Halves grad) {
    TapGrads grads;
    unroll<3>([&](auto tap) { grads.grad[tap] = only(row.tap[tap], grad); });
    return grads;
}

// The gradients of two vectors of columns, from the windows that begin at or before them: `now`, and for P 0
// those before, for P 1 those behind.
template <int P>
inline Columns add_taps(const TapSums& before, const TapSums& now, const TapSums& behind) {
    if constexpr (P == 1) {
        const Floats lower = now.lower[2] + one_ahead(now.lower[0], now.upper[0]);
        const Floats upper = now.upper[2] + one_ahead(now.upper[0], behind.lower[0]);
        return {rounded(now.lower[1], now.upper[1]), rounded(lower, upper)};
    } else {
        const Floats lower = one_behind(before.upper[2], now.lower[2]) + now.lower[0];
        const Floats upper = one_behind(now.lower[2], now.upper[2]) + now.upper[0];
        return {rounded(lower, upper), rounded(now.lower[1], now.upper[1])};
    }
}

template <int P>
inline Columns add_taps(const TapGrads& before, const TapGrads& now, const TapGrads& behind) {
    const Halves left = P == 1 ? now.grad[2] : one_behind(before.grad[2], now.grad[2]);
    const Halves right = P == 1 ? one_ahead(now.grad[0], behind.grad[0]) : now.grad[0];
    const Halves both =
        rounded(lower_values(left) + lower_values(right), upper_values(left) + upper_values(right));
    return P == 1 ? Columns{now.grad[1], both} : Columns{both, now.grad[1]};
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
