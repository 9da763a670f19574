// Stride 1 in NHWC, windows of 4 x 4 and larger: a panel at a time, a vector of channels with all rows.
//
// (Maximum, its first place) of each window: along the rows, then down the columns, by slide.h. In a column
// of windows a place wins such as lie one below the other: their gradients are summed up in the lane as long
// as the place stays, and a run's sum is added to the place once, column by column, which is the sums' order.
// Channels are lanes throughout, so that nothing moves between them.
//
// Exact where separable.h is.
#pragma once

#include "panels.h"
#include "placed.h"
#include "run_list.h"
#include "separable.h"
#include "slide.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kTotalFloats = int64_t{40} << 10; // that a band's rows may take

template <class T, class Placed>
class ChannelRuns {
public:
    ChannelRuns(const FastJob& job, const Band& band, float* scratch)
        : job_(job), band_(band), h_(axis_of(job.h, band)), places_(h_.input * job.w.input) {
        rows_ = reinterpret_cast<Placed*>(scratch);
        kept_ = rows_ + h_.input * least(job.w.output, job.w.kernel);
        totals_ = reinterpret_cast<float*>(kept_ + most(job.h.kernel, job.w.kernel));
        lists_ = totals_ + places_ * kLanes;
        for (float* total = totals_; total < lists_; total += kLanes) {
            store(total, Floats{});
        }
    }

    // False where it has to be written again.
    bool run(const Panel& panel, const Panel& next) {
        const int64_t large = first_element(job_, job_.large, panel),
                      small = first_element(job_, job_.small, panel);
        large_ahead_ = first_element(job_, job_.large, next) - large;
        small_ahead_ = first_element(job_, job_.small, next) - small;
        input_ = static_cast<const T*>(job_.orig_input) + large + band_.row * job_.large.row_step;
        output_ = static_cast<const T*>(job_.orig_output) + small + band_.window * job_.small.row_step;
        grad_ = static_cast<const T*>(job_.grad) + small + band_.window * job_.small.row_step;
        inside_ = first_lanes(job_.group - panel.channel);
        wrong_ = none();
        for (Block block = first_block(job_.w); block.count > 0; block = next_block(job_.w, block)) {
            for (int64_t row = 0; row < h_.input; ++row) {
                look_along(block, row);
            }
            for (int64_t column = 0; column < block.count; ++column) {
                look_down(block.first + column, rows_ + column * h_.input);
            }
        }
        write(static_cast<T*>(job_.out_grad) + large, job_.group - panel.channel);
        return !any(wrong_);
    }

private:
    [[gnu::noinline]] void look_along(const Block& block, int64_t row) {
        const int64_t pixel_step = job_.large.pixel_step, height = h_.input, ahead = large_ahead_;
        const Mask inside = inside_;
        const T* from = input_ + row * job_.large.row_step;
        const Ints first =
            lane_numbers() + splat(static_cast<int32_t>((places_ - 1 - row * job_.w.input) * kLanes));
        Placed* to = rows_ + row;
        slide(
            job_.w, block, kept_,
            [&](int64_t pixel) {
                ask_for_next(from + pixel * pixel_step + ahead);
                return Placed::of(load_where(inside, from + pixel * pixel_step, 0),
                                  first - splat(static_cast<int32_t>(pixel * kLanes)));
            },
            [&](int64_t, const Placed& seen) {
                *to = seen;
                to += height;
            });
    }

    // A column of windows, from those of its rows.
    [[gnu::noinline]] void look_down(int64_t column, const Placed* rows) {
        const int64_t row_step = job_.small.row_step, ahead = small_ahead_;
        const Mask inside = inside_, all_lanes = first_lanes(kLanes);
        const T* output = output_ + column * job_.small.pixel_step;
        const T* grad = grad_ + column * job_.small.pixel_step;
        Floats sum{}, lowest{};
        Ints address = splat(int32_t{-1});
        Mask right = all_lanes;
        RunList list(lists_, h_.output);
        const auto found = [&](int64_t window, const Placed& seen) {
            const Floats value = load_where(inside, output, 0);
            ask_for_next(output + ahead);
            ask_for_next(grad + ahead);
            lowest = smallest(value, lowest);
            right = equal_where(right, seen.value(), value);
            const Ints now = seen.address();
            const Mask same = equal(now, address);
            if (window > 0) {
                list.end(without(all_lanes, same), address);
            }
            sum = add_where(same, load_where(inside, grad, 0), sum);
            address = now;
            list.add(sum);
            output += row_step;
            grad += row_step;
        };
        for (Block block = first_block(h_); block.count > 0; block = next_block(h_, block)) {
            slide(h_, block, kept_, [&](int64_t row) { return rows[row]; }, found);
        }
        list.end(all_lanes, address);
        list.add_up(totals_);
        wrong_ = either(wrong_, without(all_lanes, right));
        wrong_ = either(wrong_, equal(lowest, splat(-__builtin_inff())));
    }

    void write(T* out_grad, int64_t channels) {
        if (channels >= kLanes) {
            write_rows(out_grad, [](T* to, Floats value) { store(to, value); });
        } else {
            write_rows(out_grad, [=](T* to, Floats value) { store_part(to, value, channels); });
        }
    }

    // And leaves zeros for the next panel.
    template <class Store>
    [[gnu::noinline]] void write_rows(T* out_grad, const Store& store_pixel) {
        const int64_t pixels = job_.w.input, pixel_step = job_.large.pixel_step, ahead = large_ahead_;
        float* total = lists_;
        const auto clear = [&](int64_t rows) {
            for (int64_t count = rows * pixels; count > 0; --count) {
                total -= kLanes;
                store(total, Floats{});
            }
        };
        clear(band_.begin - band_.row);
        for (int64_t row = band_.begin; row < band_.end; ++row) {
            T* to = out_grad + row * job_.large.row_step;
            for (int64_t pixel = 0; pixel < pixels; ++pixel, to += pixel_step) {
                total -= kLanes;
                store_pixel(to, load(total));
                __builtin_prefetch(to + ahead, 1, 2);
                store(total, Floats{});
            }
        }
        clear(band_.last_row - band_.end);
    }

    const FastJob& job_;
    const Band band_;
    const FastAxis h_; // the band's
    const int64_t places_;
    const T *input_ = nullptr, *output_ = nullptr, *grad_ = nullptr; // the panel's
    Mask inside_ = none(), wrong_ = none();
    Placed* rows_;  // the windows of rows, a block of columns of them, column by column
    Placed* kept_;  // slide's
    float* totals_; // by address: the last place comes first
    float* lists_;
    int64_t large_ahead_ = 0, small_ahead_ = 0; // elements to the next panel
};

inline int64_t panel_rows(const FastJob& job) {
    return least(job.h.input, most(job.h.kernel, kTotalFloats / (job.w.input * kLanes)));
}

// Rows that a band may look at.
inline int64_t rows_seen(const FastJob& job) {
    return least(job.h.input, panel_rows(job) + 2 * job.h.kernel);
}

inline int64_t channel_runs_scratch(const FastJob& job) {
    const int64_t rows = rows_seen(job), windows = least(job.h.output, panel_rows(job) + job.h.kernel + 1);
    const int64_t placed = rows * least(job.w.output, job.w.kernel) + most(job.h.kernel, job.w.kernel);
    return (2 * placed + rows * job.w.input) * kLanes + RunList::floats(windows);
}

template <class T, class Placed>
void channel_runs_of(const FastJob& job, int64_t begin, int64_t end, const Band& band, float* scratch,
                     const Redo& redo) {
    ChannelRuns<T, Placed> strategy(job, band, scratch);
    run_panels(job, begin, end, band, redo, strategy);
}

template <class T>
void channel_runs(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                  float* scratch, const Redo& redo) {
    for (int64_t row = row_begin; row < row_end; row += panel_rows(job)) {
        const Band band = band_of(job.h, row, least(row_end, row + panel_rows(job)));
        if (sizeof(T) == 2 && PlacedKey::fits((band.last_row - band.row) * job.w.input * kLanes)) {
            channel_runs_of<T, PlacedKey>(job, begin, end, band, scratch, redo);
        } else {
            channel_runs_of<T, PlacedPair>(job, begin, end, band, scratch, redo);
        }
    }
}

// A panel takes as long for any window and for any part of a vector; separable.h gets slower as windows grow.
inline bool channel_runs_fit(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    const int64_t steps = (h.kernel + w.kernel) * job.group, lanes = round_up(job.group, kLanes);
    const bool small = h.input * w.input <= 1024;
    return h.stride == 1 && w.stride == 1 && least(h.kernel, w.kernel) >= 4 &&
           2 * steps >= (small ? 15 : 22) * lanes && rows_seen(job) * w.input * kLanes <= kMostAddresses &&
           rows_seen(job) + h.kernel <= kMostAddresses / kLanes;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
