// One vector of windows on one input row.
#pragma once

#include "../simd/unroll.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// The row-window maximum, NaN left out; for each tap but the first, whether it is greater than those before
// it; and the sum of the gradients that the row has won.
template <int K>
struct SmallRow {
    Floats best;
    Mask greater[K];
    Floats sum;
};

template <int K>
[[gnu::always_inline]] inline SmallRow<K> small_row(const Floats* taps) {
    SmallRow<K> row{greatest(taps[0], splat(-__builtin_inff())), {}, Floats{}};
    unroll<K - 1>([&](auto index) {
        constexpr int tap = index + 1;
        row.greater[tap] = greater(taps[tap], row.best);
        row.best = greatest(taps[tap], row.best);
    });
    return row;
}

// A row beyond the input's edge: it equals no window's value.
template <int K>
[[gnu::always_inline]] inline SmallRow<K> row_outside() {
    SmallRow<K> row{splat(-__builtin_inff()), {}, Floats{}};
    unroll<K>([&](auto tap) { row.greater[tap] = none(); });
    return row;
}

// Adds `grad` to the first of the rows that has `output`. The lanes where that is the windows' maximum, and a
// number above -Inf.
template <int K>
[[gnu::always_inline]] inline Mask route_small(SmallRow<K>* rows, Floats output, Floats grad) {
    Mask found = equal(rows[0].best, output);
    Floats best = rows[0].best;
    rows[0].sum += only(found, grad);
    unroll<K - 1>([&](auto index) {
        constexpr int row = index + 1;
        const Mask same = equal(rows[row].best, output);
        rows[row].sum += only(without(same, found), grad);
        found = either(found, same);
        best = greatest(rows[row].best, best);
    });
    return both(equal(best, output), greater(output, splat(-__builtin_inff())));
}

// The sum goes to the tap row of the first tap that has the row's maximum: the last that was greater.
template <int K>
[[gnu::always_inline]] inline void store_taps(const SmallRow<K>& row, float* to, int64_t tap_step) {
    Floats sum = row.sum;
    unroll<K - 1>([&](auto index) {
        constexpr int tap = K - 1 - index;
        store(to + tap * tap_step, only(row.greater[tap], sum));
        sum = pick(row.greater[tap], Floats{}, sum);
    });
    store(to, sum);
}

template <int K>
[[gnu::always_inline]] inline void keep(const SmallRow<K>& row, float* to) {
    store(to, row.best);
    store(to + kLanes, row.sum);
    unroll<K>([&](auto tap) {
        __builtin_memcpy(to + (tap + 2) * kLanes, &row.greater[tap], sizeof row.greater[tap]);
    });
}

template <int K>
[[gnu::always_inline]] inline SmallRow<K> kept(const float* from) {
    SmallRow<K> row{load(from), {}, load(from + kLanes)};
    unroll<K>([&](auto tap) {
        __builtin_memcpy(&row.greater[tap], from + (tap + 2) * kLanes, sizeof row.greater[tap]);
    });
    return row;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
