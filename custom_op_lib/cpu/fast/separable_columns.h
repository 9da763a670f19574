// Windows of 3 x 3 one step apart, NCHW, where a row of windows fits N vectors: rows first, then columns, in
// registers, down the plane. Of an input row the greatest of every three neighbours, and which of the three
// is the first such, serve all three rows of windows that share it.
//
// It is right where each orig_output is its window's maximum and above -Inf. A plane where one is not is told
// again by tap_columns.h.
#pragma once

#include "../simd/moves_avx512.h"
#include "tap_columns.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class T, int P, int N>
class SeparableColumns {
public:
    static bool fits(const FastJob& job) {
        return TapColumns<T, 3, 1, P, N>::fits(job) && job.w.output >= kWhole;
    }

    // `nothing`: NaN, N vectors of it.
    SeparableColumns(const FastJob& job, int64_t unit, const T* nothing)
        : job_(job), nothing_(nothing),
          from_(static_cast<const T*>(job.orig_input) + first_element(job, job.large, unit)),
          to_(static_cast<T*>(job.out_grad) + first_element(job, job.large, unit)),
          output_(static_cast<const T*>(job.orig_output) + first_element(job, job.small, unit)),
          grad_(static_cast<const T*>(job.grad) + first_element(job, job.small, unit)),
          positions_(first_lanes(job.w.input - kWhole)),
          windows_(first_lanes(most(0, job.w.output - kWhole))) {}

    // False where a window could not be told.
    bool run(int64_t begin, int64_t end) const {
        const int64_t height = job_.h.input, pad = job_.h.pad;
        const int64_t first = most(0, begin + pad - 2), last = least(job_.h.output, end + pad); // windows
        const int64_t stop = least(height, most(end, last - pad + 2));
        Windows windows;
        start(windows);
        for (int64_t window = first; window < pad; ++window) { // begins above the plane
            add_windows(windows, window);
        }
        int64_t at = most(0, first - pad);
        Neighbours row = neighbours(at);
        for (; at < stop; ++at) {
            const Neighbours next = neighbours(least(at + 1, height - 1)); // ahead: it takes its time
            add_windows(windows, at + pad);
            Floats sums[N];
            unroll<N>([&](auto v) { sums[v] = win(windows, row.maximum[v], v); });
            const int64_t oldest = at + pad - 2;
            next_maxima(windows, row, oldest >= first && oldest < job_.h.output);
            if (at >= begin && at < end) {
                write(row, sums, to_ + at * job_.large.row_step);
            }
            row = next;
        }
        for (int64_t window = height + pad - 2; window < last; ++window) { // ends below the plane
            if (stop == height && window >= first) {
                unroll<N>([&](auto v) {
                    const bool two = window < height + pad - 1; // of its rows lie in the plane
                    check(windows, v, two ? windows.last_two[v] : windows.last[v],
                          windows.output[two ? 1 : 2][v]);
                });
            }
        }
        const Ints infinity = reinterpret_cast<Ints>(splat(-__builtin_inff()));
        bool right = !any(equal(greatest_unsigned(windows.most_bits, infinity), windows.most_bits));
        unroll<N>([&](auto v) { right = right && !any(without(there(v), windows.right[v])); });
        return right;
    }

private:
    // Below all that can win; no value of float16, so that a window of nothing else is noticed.
    static constexpr float kLowest = sizeof(T) == 2 ? -1e38f : -__builtin_inff();
    static constexpr int64_t kWhole = (N - 1) * kLanes; // elements of a row's whole vectors

    // Of a row of orig_input, the greatest of every three neighbours, and where it is the first or the last
    // of them. NaN and what is outside count as -Inf.
    struct Neighbours {
        Floats maximum[N];
        Mask not_last[N], middle[N];
    };

    // The three rows of windows that share an input row, the oldest first. A gradient is 0 once it is won.
    struct Windows {
        Floats output[3][N], grad[3][N];
        Floats last[N], last_two[N]; // the maxima of the last row's neighbours, of the last two rows'
        Mask right[N];               // the lanes where each orig_output is the maximum so far
        Ints most_bits;              // of any orig_output, without a sign: -Inf's are above those of numbers
    };

    // The lanes of a vector that are windows.
    [[gnu::always_inline]] Mask there(int v) const { return v < N - 1 ? first_lanes(kLanes) : windows_; }

    [[gnu::always_inline]] void start(Windows& windows) const {
        unroll<N>([&](auto v) {
            unroll<3>([&](auto row) {
                windows.output[row][v] = splat(__builtin_nanf(""));
                windows.grad[row][v] = Floats{};
            });
            windows.last[v] = windows.last_two[v] = splat(kLowest);
        });
        windows.most_bits = Ints{};
        unroll<N>([&](auto v) { windows.right[v] = there(v); });
    }

    // A row, of whose last vector there are the lanes `there`.
    [[gnu::always_inline]] static void read(const T* row, Mask there, float other, Floats* to) {
        unroll<N>([&](auto v) {
            to[v] = v < N - 1 ? load(row + v * kLanes) : load_where(there, row + kWhole, other);
        });
    }

    [[gnu::always_inline]] Neighbours neighbours(int64_t at) const {
        const Floats lowest = splat(kLowest);
        Floats values[N + 2];
        read(from_ + at * job_.large.row_step, positions_, kLowest, values + 1);
        values[0] = values[N + 1] = lowest;
        unroll<N>([&](auto v) { values[v + 1] = greatest(values[v + 1], lowest); });
        Neighbours found;
        unroll<N>([&](auto v) {
            Floats taps[3];
            unroll<3>(
                [&](auto tap) { taps[tap] = shifted<tap - P>(values[v], values[v + 1], values[v + 2]); });
            const Floats two = greatest(taps[0], taps[1]);
            found.maximum[v] = greatest(two, taps[2]);
            found.not_last[v] = not_greater(taps[2], two);
            found.middle[v] = unequal_where(found.not_last[v], taps[0], found.maximum[v]);
        });
        return found;
    }

    // A row of windows in place of the oldest.
    [[gnu::always_inline]] void add_windows(Windows& windows, int64_t window) const {
        unroll<2>([&](auto row) {
            unroll<N>([&](auto v) {
                windows.output[row][v] = windows.output[row + 1][v];
                windows.grad[row][v] = windows.grad[row + 1][v];
            });
        });
        const bool there = window < job_.h.output;
        const int64_t at = window * job_.small.row_step;
        read(there ? output_ + at : nothing_, windows_, __builtin_nanf(""), windows.output[2]);
        read(there ? grad_ + at : nothing_, windows_, 0, windows.grad[2]);
        if constexpr (sizeof(T) == 4) {
            unroll<N>([&](auto v) {
                const Ints bits = reinterpret_cast<Ints>(windows.output[2][v]);
                windows.most_bits = greatest_unsigned(windows.most_bits, bits);
            });
        }
    }

    // The sums of the gradients that three neighbours win: of the windows whose first rows have less. What
    // the oldest ones' orig_output is does not matter: it is their maximum, or all is told again.
    [[gnu::always_inline]] static Floats win(const Windows& windows, Floats maximum, int v) {
        const Mask oldest = greater(maximum, windows.last_two[v]);
        const Mask middle = equal_where(greater(maximum, windows.last[v]), maximum, windows.output[1][v]);
        const Mask newest = equal(maximum, windows.output[2][v]);
        const Floats sum = add_where(middle, only(oldest, windows.grad[0][v]), windows.grad[1][v]);
        return add_where(newest, sum, windows.grad[2][v]);
    }

    [[gnu::always_inline]] static void check(Windows& windows, int v, Floats maximum, Floats output) {
        windows.right[v] = equal_where(windows.right[v], maximum, output);
    }

    // The oldest windows have had their last row; the first of them may be of no interest.
    [[gnu::always_inline]] static void next_maxima(Windows& windows, const Neighbours& row, bool wanted) {
        unroll<N>([&](auto v) {
            if (wanted) {
                check(windows, v, greatest(windows.last_two[v], row.maximum[v]), windows.output[0][v]);
            }
            windows.last_two[v] = greatest(windows.last[v], row.maximum[v]);
            windows.last[v] = row.maximum[v];
        });
    }

    [[gnu::always_inline]] void write(const Neighbours& row, const Floats* sums, T* to) const {
        Floats first[N + 2], last[N + 2]; // of the neighbours, the vectors beside them too
        first[0] = first[N + 1] = last[0] = last[N + 1] = Floats{};
        Floats middle[N + 2];
        middle[0] = middle[N + 1] = Floats{};
        unroll<N>([&](auto v) {
            last[v + 1] = pick(row.not_last[v], Floats{}, sums[v]);
            first[v + 1] = pick(row.middle[v], Floats{}, only(row.not_last[v], sums[v]));
            middle[v + 1] = only(row.middle[v], sums[v]);
        });
        unroll<N>([&](auto v) {
            const auto at = [&](auto steps, const Floats* of) {
                return shifted<P - steps>(of[v], of[v + 1], of[v + 2]);
            };
            Floats sum = at(Constant<2>{}, last);
            if constexpr (P == 1) {
                sum = add_where(row.middle[v], sum, sums[v]);
            } else {
                sum += at(Constant<1>{}, middle);
            }
            sum += at(Constant<0>{}, first);
            if (v < N - 1) {
                store(to + v * kLanes, sum);
            } else {
                store_where(positions_, to + kWhole, sum);
            }
        });
    }

    const FastJob& job_;
    const T* const nothing_;
    const T* const from_;
    T* const to_;
    const T* const output_;
    const T* const grad_;
    const Mask positions_, windows_; // the lanes of a row's last vector
};

template <class T, int P, int N>
void separable_columns(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                       float* scratch, const Redo&) {
    T* nothing = reinterpret_cast<T*>(scratch);
    unroll<N>([&](auto v) { store(nothing + v * kLanes, splat(__builtin_nanf(""))); });
    for (int64_t unit = begin; unit < end; ++unit) {
        if (!SeparableColumns<T, P, N>(job, unit, nothing).run(row_begin, row_end)) {
            TapColumns<T, 3, 1, P, N>(job, unit).run(row_begin, row_end);
        }
    }
}

inline int64_t separable_columns_scratch(const FastJob&) {
    return 2 * kLanes;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
