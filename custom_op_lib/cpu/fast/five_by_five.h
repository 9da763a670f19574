// 5 x 5 one step apart in NHWC: a panel at a time, a vector of channels with all rows.
//
// (Maximum, its first place) of each window by doubling how many positions it has seen, along the rows and
// then down. A window gives its gradient to that of its five rows which has its maximum, by five comparisons;
// what each row's window has got then goes on to that of its five positions, likewise: ten steps, fewer than
// the runs of channel_runs.h take where they are short. No sum goes through memory twice, and the order is
// the specification's.
//
// Exact where separable.h is.
#pragma once

#include "../simd/moves_avx512.h"
#include "panels.h"
#include "separable.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int kFive = 5;
constexpr int64_t kFiveFloats = int64_t{64}
                                << 10; // that a band's rows may take: a part of a second-level cache

// The greatest of a window's positions so far, and which of them has it first.
struct Tapped {
    Floats best;
    Ints tap;

    static Tapped nothing() { return {splat(-__builtin_inff()), Ints{}}; }

    // What begins `taps` further on comes behind.
    [[gnu::always_inline]] Tapped before(const Tapped& next, Ints taps) const {
        const Mask later = greater(next.best, best);
        return {greatest(next.best, best), add_where(later, tap, next.tap, taps)};
    }
};

// Goes along positions.
class LastFive {
public:
    // Of this one and the four before it.
    [[gnu::always_inline]] Tapped with(Floats value) {
        const Tapped next{value, Ints{}}, two = last_.before(next, splat(int32_t{1}));
        const Tapped four = two_before_.before(two, splat(int32_t{2}));
        const Tapped five = four_.before(next, splat(int32_t{4}));
        last_ = next;
        two_before_ = two_;
        two_ = two;
        four_ = four;
        return five;
    }

private:
    Tapped last_ = Tapped::nothing(), two_ = last_, two_before_ = last_, four_ = last_;
};

// Goes along positions and the windows that begin with them: sums of what the windows give to their taps.
class FiveSums {
public:
    // The sum of the window's first position, complete with it.
    [[gnu::always_inline]] Floats add(Ints tap, Floats value) {
        const Floats first = add_where(equal(tap, Ints{}), sums_[0], value);
        unroll<kFive - 1>(
            [&](auto t) { sums_[t] = add_where(equal(tap, splat(int32_t{t + 1})), sums_[t + 1], value); });
        return first;
    }

    // Of the next position, which no window begins with.
    [[gnu::always_inline]] Floats next() {
        const Floats first = sums_[0];
        unroll<kFive - 1>([&](auto t) { sums_[t] = sums_[t + 1]; });
        return first;
    }

private:
    Floats sums_[kFive] = {}; // the last one stays zero
};

template <class T>
class FiveByFive {
public:
    FiveByFive(const FastJob& job, const Band& band, float* scratch)
        : job_(job), band_(band), h_(axis_of(job.h, band)), row_(job.w.output * kLanes),
          values_(scratch + kPadding * row_),
          taps_(reinterpret_cast<int32_t*>(values_ + (h_.input + kPadding) * row_)) {
        for (int64_t i = 0; i < kPadding * row_; i += kLanes) {
            store(scratch + i, splat(-__builtin_inff()));
            store(values_ + h_.input * row_ + i, splat(-__builtin_inff()));
        }
    }

    // Channels from `channel` on of group number `unit`, before those of `next`. False where they have to be
    // written again.
    bool run(const Panel& panel, const Panel& next) {
        const int64_t large = first_element(job_, job_.large, panel),
                      small = first_element(job_, job_.small, panel);
        large_ahead_ = first_element(job_, job_.large, next) - large;
        small_ahead_ = first_element(job_, job_.small, next) - small;
        const T* input = static_cast<const T*>(job_.orig_input) + large + band_.row * job_.large.row_step;
        const int64_t window = small + band_.window * job_.small.row_step;
        channels_ = job_.group - panel.channel;
        for (int64_t row = 0; row < h_.input; ++row) {
            look_along(input + row * job_.large.row_step, row * row_);
        }
        Mask right = first_lanes(channels_);
        for (int64_t column = 0; column < job_.w.output; ++column) {
            const int64_t at = window + column * job_.small.pixel_step;
            right = look_down(static_cast<const T*>(job_.orig_output) + at,
                              static_cast<const T*>(job_.grad) + at, values_ + column * kLanes, right);
        }
        T* to = static_cast<T*>(job_.out_grad) + large;
        for (int64_t row = band_.begin; row < band_.end; ++row) {
            write(to + row * job_.large.row_step, (row - band_.row) * row_);
        }
        return !any(without(first_lanes(channels_), right));
    }

private:
    static constexpr int64_t kPadding =
        kFive - 1; // rows that windows may reach beyond the first and the last

    // The windows of a row.
    [[gnu::noinline]] void look_along(const T* from, int64_t at) const {
        const FastAxis w = job_.w;
        const int64_t pixel_step = job_.large.pixel_step, large_ahead = large_ahead_;
        const Mask all = first_lanes(channels_);
        const Floats lowest = splat(-__builtin_inff());
        LastFive last;
        int64_t pixel = 0;
        const auto next = [&] {
            const Floats value = load_where(all, from, -__builtin_inff());
            ask_for_next(from + large_ahead);
            from += pixel_step;
            ++pixel;
            return greatest(value, lowest);
        };
        const auto put = [&](const Tapped& five) {
            store(values_ + at, five.best);
            store(taps_ + at, five.tap);
            at += kLanes;
        };
        const int64_t end = at + row_;
        while (pixel < least(w.input, kFive - 1 - w.pad)) {
            last.with(next());
        }
        for (int64_t missing = kFive - 1 - w.pad - pixel; missing > 0; --missing) {
            last.with(lowest);
        }
        while (at < end && pixel < w.input) {
            put(last.with(next()));
        }
        while (at < end) {
            put(last.with(lowest));
        }
    }

    // A column of windows. Its rows' values become the sums of the gradients that they have got.
    [[gnu::noinline]] Mask look_down(const T* output, const T* grad, float* column, Mask right) const {
        const int64_t row_step = job_.small.row_step, step = row_, small_ahead = small_ahead_;
        const Mask all = first_lanes(channels_);
        const float* from = column - h_.pad * step;
        LastFive last;
        FiveSums sums;
        Floats lowest{};
        const auto next = [&] {
            const Floats value = load(from);
            from += step;
            return value;
        };
        for (int row = 0; row < kFive - 1; ++row) {
            last.with(next());
        }
        float* to = column - h_.pad * step;
        for (int64_t window = 0; window < h_.output; ++window) {
            const Tapped five = last.with(next());
            const Floats wanted = load_where(all, output, 0);
            ask_for_next(output + small_ahead);
            ask_for_next(grad + small_ahead);
            lowest = smallest(wanted, lowest);
            right = equal_where(right, five.best, wanted);
            const Floats sum = sums.add(five.tap, load_where(all, grad, 0));
            if (window >= h_.pad) {
                store(to, sum);
            }
            to += step;
            output += row_step;
            grad += row_step;
        }
        for (int64_t row = h_.output - h_.pad; row < h_.input; ++row) {
            const Floats sum = sums.next();
            if (row >= 0) {
                store(to, sum);
            }
            to += step;
        }
        return without(right, equal(lowest, splat(-__builtin_inff())));
    }

    [[gnu::noinline]] void write(T* to, int64_t at) const {
        const FastAxis w = job_.w;
        const int64_t pixel_step = job_.large.pixel_step, channels = channels_, large_ahead = large_ahead_;
        FiveSums sums;
        const auto add = [&] {
            const Floats sum = sums.add(load(taps_ + at), load(values_ + at));
            at += kLanes;
            return sum;
        };
        const auto put = [&](Floats sum) {
            store_first(to, sum, channels);
            __builtin_prefetch(to + large_ahead, 1, 2);
            to += pixel_step;
        };
        const int64_t windows = w.output - w.pad;
        int64_t pixel = -w.pad;
        for (; pixel < least(0, windows); ++pixel) {
            add();
        }
        for (; pixel < 0; ++pixel) {
            sums.next();
        }
        for (; pixel < windows; ++pixel) {
            put(add());
        }
        for (; pixel < w.input; ++pixel) {
            put(sums.next());
        }
    }

    const FastJob& job_;
    const Band band_;
    const FastAxis h_;    // the band's
    const int64_t row_;   // floats of a row of windows
    float* const values_; // the greatest of each row's windows; padding above and below
    int32_t* const taps_; // which of the window's positions has it first
    int64_t channels_ = 0, large_ahead_ = 0, small_ahead_ = 0; // the panel's
};

inline int64_t five_rows(const FastJob& job) {
    return least(job.h.input, most(kFive, kFiveFloats / (2 * job.w.output * kLanes) - 2 * kFive));
}

inline int64_t five_by_five_scratch(const FastJob& job) {
    const int64_t rows = 2 * least(job.h.input, five_rows(job) + 2 * kFive) + 2 * kFive;
    return rows * job.w.output * kLanes;
}

template <class T>
void five_by_five(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                  float* scratch, const Redo& redo) {
    for (int64_t row = row_begin; row < row_end; row += five_rows(job)) {
        const Band band = band_of(job.h, row, least(row_end, row + five_rows(job)));
        FiveByFive<T> strategy(job, band, scratch);
        run_panels(job, begin, end, band, redo, strategy);
    }
}

// Not where bands would be so low that most of what they look at is their neighbours'.
inline bool five_by_five_fits(const FastJob& job) {
    return 2 * job.group >= kLanes && five_rows(job) >= least(job.h.input, 2 * kFive);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
