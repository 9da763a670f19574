// Windows told tap by tap, NCHW, where a row of windows fits N vectors: they stay in registers from input row
// to input row, down the plane.
#pragma once

#include "open_windows.h"
#include "tap_lanes.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class T, int K, int S, int P, int N>
class TapColumns {
public:
    // It takes the 32 registers of AVX-512.
    static bool fits(const FastJob& job) {
        return kLanes == 16 && Lanes::fits(job) && Lanes::vectors(job) == N;
    }

    TapColumns(const FastJob& job, int64_t unit)
        : job_(job), from_(static_cast<const T*>(job.orig_input) + first_element(job, job.large, unit)),
          to_(static_cast<T*>(job.out_grad) + first_element(job, job.large, unit)),
          output_(static_cast<const T*>(job.orig_output) + first_element(job, job.small, unit)),
          grad_(static_cast<const T*>(job.grad) + first_element(job, job.small, unit)) {}

    void run(int64_t begin, int64_t end) const {
        const FastAxis& h = job_.h;
        Rows rows;
        unroll<kRows>([&](auto row) {
            unroll<N>([&](auto v) {
                rows.output[row][v] = splat(__builtin_nanf(""));
                rows.grad[row][v] = Floats{};
            });
        });
        int64_t window = most(0, (begin + h.pad - K + S) / S); // the first that reaches `begin`
        for (; window * S - h.pad < end; ++window) {
            unroll<N>([&](auto v) {
                const int64_t at = window * job_.small.row_step;
                const int64_t windows = window < h.output ? job_.w.output : 0;
                rows.output[kRows - 1][v] = Lanes::read_small(output_ + at, v, windows);
                rows.grad[kRows - 1][v] = Lanes::read_small(grad_ + at, v, windows);
            });
            unroll<S>([&](auto row) {
                const int64_t at = window * S - h.pad + row;
                if (at >= 0 && at < end) {
                    input_row<row>(rows, at, at >= begin);
                }
            });
            unroll<kRows - 1>([&](auto row) {
                unroll<N>([&](auto v) {
                    rows.output[row][v] = rows.output[row + 1][v];
                    rows.grad[row][v] = rows.grad[row + 1][v];
                });
            });
        }
    }

private:
    using Lanes = TapLanes<T, K, S, P>;
    static constexpr int kRows = kOpenRows<K, S, 0>;

    // The rows of windows that share an input row. A gradient is 0 once a tap has taken it, so that no
    // comparison has to wait for the one before.
    struct Rows {
        Floats output[kRows][N], grad[kRows][N];
    };

    template <bool first>
    [[gnu::always_inline]] static void win(Floats output, Floats& grad, const Floats* taps, Floats* sums) {
        unroll<K>([&](auto tap) {
            const Mask same = equal(taps[tap], output);
            sums[tap] = first ? only(same, grad) : add_where(same, sums[tap], grad);
            grad = pick(same, Floats{}, grad);
        });
    }

    // Input row `at` is tap row R of the last row of windows, R + S of the one before, ...
    template <int R>
    [[gnu::always_inline]] void input_row(Rows& rows, int64_t at, bool wanted) const {
        constexpr int first = kRows - kOpenRows<K, S, R>;
        const int64_t width = job_.w.input;
        typename Lanes::Phases phases[N + 2];
        typename Lanes::Sums sums[N + 2];
        phases[0] = phases[N + 1] = Lanes::outside();
        sums[0] = sums[N + 1] = {};
        unroll<N>([&](auto v) { phases[v + 1] = Lanes::read(from_ + at * job_.large.row_step, v, width); });
        unroll<N>([&](auto v) {
            Floats taps[K];
            Lanes::taps(phases[v], phases[v + 1], phases[v + 2], taps);
            unroll<kRows - first>([&](auto row) {
                constexpr int n = first + row;
                win<row == 0>(rows.output[n][v], rows.grad[n][v], taps, sums[v + 1].of);
            });
        });
        if (wanted) {
            unroll<N>([&](auto v) {
                Lanes::template finish<false>(sums[v], sums[v + 1], sums[v + 2],
                                              to_ + at * job_.large.row_step, v, width);
            });
        }
    }

    const FastJob& job_;
    const T* const from_;
    T* const to_;
    const T* const output_;
    const T* const grad_;
};

template <class T, int K, int S, int P, int N>
void tap_columns(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end, float*,
                 const Redo&) {
    for (int64_t unit = begin; unit < end; ++unit) {
        TapColumns<T, K, S, P, N>(job, unit).run(row_begin, row_end);
    }
    end_streams();
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
