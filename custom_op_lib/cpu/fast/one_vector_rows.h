// Stride 1 on planes of up to 256 positions whose rows, of input as of windows, fit a vector.
//
// (Maximum, its first place) of each window: along the rows by row_firsts.h, then down the rows by what is
// the greatest up to every k-th row and from it on: a few steps, whatever k is. The first maximum of a column
// of windows never moves up as the window moves down, so that the gradients that a place receives from a
// column are a run's sum. There are few runs, and they are added one by one.
//
// Exact where separable.h is.
#pragma once

#include "row_firsts.h"
#include "runs.h"
#include "separable.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Rows of windows of the planes.
struct FirstsRows {
    alignas(64) float best[kMostRows * kTogether * kLanes];
    alignas(64) int32_t place[kMostRows * kTogether * kLanes];

    void put(int64_t row, const Firsts* firsts) {
        unroll<kTogether>([&](auto plane) {
            const int64_t at = (row * kTogether + plane) * kLanes;
            store(best + at, firsts[plane].best);
            store(place + at, firsts[plane].place);
        });
    }

    Firsts at(int64_t row, int plane) const {
        const int64_t at = (row * kTogether + plane) * kLanes;
        return {load(best + at), load(place + at)};
    }
};

template <class T>
class OneVectorRows {
public:
    explicit OneVectorRows(const FastJob& job)
        : job_(job), row_(job.w), windows_(first_lanes(job.w.output)),
          runs_(job.h.output, job.w.output, kMostPlaces) {}

    // Up to kTogether planes from `begin` on.
    void run(int64_t begin, int64_t end, const Redo& redo) {
        for (int64_t i = 0; i < kTogether; ++i) {
            const int64_t unit = least(begin + i, end - 1);
            const int64_t small = first_element(job_, job_.small, unit);
            large_[i] = first_element(job_, job_.large, unit);
            input_[i] = static_cast<const T*>(job_.orig_input) + large_[i];
            output_[i] = static_cast<const T*>(job_.orig_output) + small;
            grad_[i] = static_cast<const T*>(job_.grad) + small;
        }
        look_along();
        look_down();
        const int64_t places = job_.h.input * job_.w.input;
        for (int64_t i = 0; i < least(kTogether, end - begin); ++i) {
            if (any(without(windows_, right_[i]))) {
                redo.call(redo.context, begin + i, 0, job_.h.input);
                continue;
            }
            write(i, static_cast<T*>(job_.out_grad) + large_[i], places);
        }
    }

private:
    void write(int64_t plane, float* out_grad, int64_t places) {
        clear(out_grad, places);
        runs_.add(plane, out_grad);
    }

    void write(int64_t plane, uint16_t* out_grad, int64_t places) {
        alignas(64) float total[kMostPlaces];
        write(plane, total, places);
        int64_t i = 0;
        for (; i + kLanes <= places; i += kLanes) {
            store(out_grad + i, load(total + i));
        }
        store_part(out_grad + i, load(total + i % kMostPlaces), places - i);
    }

    void look_along() {
        for (int64_t row = 0; row < job_.h.input; ++row) {
            Firsts windows[kTogether];
            unroll<kTogether>([&](auto i) {
                __builtin_prefetch(input_[i] + job_.large.group_step * kTogether + row * job_.w.input);
            });
            row_.template find<kTogether>(input_, row * job_.w.input, windows);
            rows_.put(row, windows);
        }
    }

    void look_down() {
        const int64_t kernel = job_.h.kernel, count = job_.h.output, height = job_.h.input;
        Mask right[kTogether];
        Ints place[kTogether];
        RunRows rows[kTogether]{runs_.rows(0), runs_.rows(1), runs_.rows(2), runs_.rows(3)};
        unroll<kTogether>([&](auto i) {
            right[i] = windows_;
            place[i] = splat(int32_t{-1});
        });
        for (int64_t first = 0; first < count; first += kernel) {
            const int64_t windows = least(kernel, count - first);
            const int64_t begin = first - job_.h.pad, end = begin + kernel;
            look_back(begin, end, windows);
            Firsts seen[kTogether];
            unroll<kTogether>([&](auto i) { seen[i] = nothing_seen(); });
            for (int64_t window = 0; window < windows; ++window) {
                const int64_t row = end + window - 1;
                if (window > 0 && row >= 0 && row < height) {
                    unroll<kTogether>([&](auto i) { see_behind(seen[i], rows_.at(row, i)); });
                }
                const int64_t at = (first + window) * job_.small.row_step;
                unroll<kTogether>([&](auto i) {
                    __builtin_prefetch(output_[i] + job_.small.group_step * kTogether + at);
                    __builtin_prefetch(grad_[i] + job_.small.group_step * kTogether + at);
                    Firsts all = from_here_.at(window, i);
                    see_behind(all, seen[i]);
                    const Floats output = load_where(windows_, output_[i] + at, 0);
                    right[i] = equal_where(greater_where(right[i], output, splat(-__builtin_inff())),
                                           all.best, output);
                    const Mask same = equal(all.place, place[i]);
                    rows[i].put(same, load_where(windows_, grad_[i] + at, 0), all.place);
                    place[i] = all.place;
                });
            }
        }
        unroll<kTogether>([&](auto i) {
            right_[i] = right[i];
            runs_.end(i, rows[i]);
        });
    }

    // The rows from each of the windows' first ones as far as `end`.
    void look_back(int64_t begin, int64_t end, int64_t windows) {
        Firsts seen[kTogether];
        unroll<kTogether>([&](auto i) { seen[i] = nothing_seen(); });
        for (int64_t row = end - 1; row >= begin; --row) {
            if (row >= 0 && row < job_.h.input) {
                unroll<kTogether>([&](auto i) { see_before(seen[i], rows_.at(row, i)); });
            }
            if (row - begin < windows) {
                from_here_.put(row - begin, seen);
            }
        }
    }

    const FastJob& job_;
    const RowFirsts row_;
    const Mask windows_;
    int64_t large_[kTogether];
    const T* input_[kTogether];
    const T* output_[kTogether];
    const T* grad_[kTogether];
    Mask right_[kTogether];
    FirstsRows rows_, from_here_;
    Runs runs_;
};

template <class T>
void one_vector_rows(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                     float* scratch, const Redo& redo) {
    if (row_end - row_begin < job.h.input) {
        separable<T>(job, begin, end, row_begin, row_end, scratch, redo);
        return;
    }
    OneVectorRows<T> strategy(job);
    for (int64_t unit = begin; unit < end; unit += kTogether) {
        strategy.run(unit, end, redo);
    }
}

// Windows of up to 3 x 3 and very narrow planes have strategies of their own.
inline bool one_vector_rows_fit(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    return h.stride == 1 && w.stride == 1 && most(w.input, w.output) <= kLanes &&
           most(h.input, h.output) <= kMostRows && most(h.kernel, w.kernel) <= 2 * kLanes &&
           most(h.kernel, w.kernel) > 3 && w.input > 4;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
