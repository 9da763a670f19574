// Rows of open windows in memory.
#pragma once

#include "open_windows.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// A row of windows, seen from an input row that is one of its tap rows.
template <class T>
struct OpenRow {
    const T* output;
    const T* grad;
    const Mask* open; // a vector of windows each
    Mask* still_open;
};

// Which windows are open, for as many rows of windows as share an input row.
class MaskRows {
public:
    MaskRows(float* scratch, int64_t vectors) : first_(reinterpret_cast<Mask*>(scratch)), vectors_(vectors) {
        for (int64_t v = 0; v < vectors; ++v) {
            closed()[v] = none();
            open()[v] = first_lanes(kLanes);
        }
    }

    static int64_t floats(int64_t vectors) {
        return round_up(kRows * vectors * static_cast<int64_t>(sizeof(Mask)), 64) / 4;
    }

    float* end() const { return reinterpret_cast<float*>(first_) + floats(vectors_); }
    Mask* of_window(int64_t window) const { return first_ + window % kRing * vectors_; }
    Mask* closed() const { return first_ + kRing * vectors_; }
    Mask* open() const { return first_ + (kRing + 1) * vectors_; }
    Mask* unread() const { return first_ + (kRing + 2) * vectors_; }

private:
    static constexpr int64_t kRing = 4, kRows = kRing + 3;
    Mask* const first_;
    const int64_t vectors_;
};

template <class T, int N>
struct OpenRows {
    OpenRow<T> at[N];
};

// The rows of windows that input row h belongs to, top to bottom: it is tap row R of the last one.
template <int K, int S, int R, class T>
inline OpenRows<T, kOpenRows<K, S, R>> open_rows(const FastJob& job, const MaskRows& masks, int64_t h,
                                                 const T* output, const T* grad) {
    constexpr int N = kOpenRows<K, S, R>;
    OpenRows<T, N> rows;
    const int64_t last = (h + job.h.pad) / S;
    unroll<N>([&](auto n) {
        constexpr int back = N - 1 - n, tap_row = R + back * S;
        const int64_t window = last - back;
        if (window < 0 || window >= job.h.output) {
            rows.at[n] = {output, grad, masks.closed(), masks.unread()};
        } else {
            const int64_t at = window * job.small.row_step;
            Mask* kept = masks.of_window(window);
            rows.at[n] = {output + at, grad + at, h == 0 || tap_row == 0 ? masks.open() : kept,
                          tap_row == K - 1 ? masks.unread() : kept};
        }
    });
    return rows;
}

// For each tap of a vector of windows the sum of the gradients that it wins.
template <int K, int N, class T, class Load>
[[gnu::always_inline]] inline void win_in(const OpenRow<T>* rows, int64_t vector, const Floats* taps,
                                          const Load& load_small, Floats* sums) {
    unroll<N>([&](auto n) {
        const OpenRow<T>& row = rows[n];
        Mask open = row.open[vector];
        win<K, n == 0>(open, load_small(row.output), load_small(row.grad), taps, sums);
        row.still_open[vector] = open;
    });
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
