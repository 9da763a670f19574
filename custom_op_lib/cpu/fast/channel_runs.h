// Stride 1 in NHWC, windows of 4 x 4 and larger: a panel at a time, a vector of channels with all rows.
//
// (Maximum, its first place) of each window: along the rows, then down the columns, by slide.h. In a column
// of windows a place wins such as lie one below the other: their gradients are summed up in the lane as long
// as the place stays, and a run's sum is added to the place once, column by column, which is the sums' order.
// Channels are lanes throughout, so that nothing moves between them.
//
// Exact where separable.h is.
#pragma once

#include "placed.h"
#include "run_list.h"
#include "separable.h"
#include "slide.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int kAbreast = 2;                         // rows, and then columns
constexpr int64_t kTotalFloats = int64_t{16} << 10; // that the rows of a band may take

// Rows [begin, end) of an axis, and what of it their windows see.
struct Band {
    int64_t begin, end;
    int64_t first_row, first_window;
    FastAxis axis;
};

inline Band band_of(const FastAxis& h, int64_t begin, int64_t end) {
    const int64_t last_window = least(h.output, end + h.pad);
    const int64_t first_window = least(last_window, most(0, begin + h.pad - h.kernel + 1));
    const int64_t first_row = least(begin, most(0, first_window - h.pad));
    const int64_t last_row = least(h.input, most(end, last_window - 1 - h.pad + h.kernel));
    const int64_t pad = h.pad - first_window + first_row;
    return {begin,
            end,
            first_row,
            first_window,
            {last_row - first_row, last_window - first_window, h.kernel, 1, pad}};
}

template <class T, class Placed>
class ChannelRuns {
public:
    ChannelRuns(const FastJob& job, const Band& band, float* scratch)
        : job_(job), band_(band), places_(band.axis.input * job.w.input) {
        rows_ = reinterpret_cast<Placed*>(scratch);
        kept_ = rows_ + band.axis.input * least(job.w.output, job.w.kernel);
        totals_ = reinterpret_cast<float*>(kept_ + kAbreast * most(job.h.kernel, job.w.kernel));
        lists_ = totals_ + places_ * kLanes;
        for (float* total = totals_; total < lists_; total += kLanes) {
            store(total, Floats{});
        }
    }

    // Channels from `channel` on of group number `unit`. False where they have to be written again.
    bool run(int64_t unit, int64_t channel) {
        const int64_t large = first_element(job_, job_.large, unit) + channel;
        const int64_t small = first_element(job_, job_.small, unit) + channel;
        input_ = static_cast<const T*>(job_.orig_input) + large + band_.first_row * job_.large.row_step;
        output_ = static_cast<const T*>(job_.orig_output) + small + band_.first_window * job_.small.row_step;
        grad_ = static_cast<const T*>(job_.grad) + small + band_.first_window * job_.small.row_step;
        inside_ = first_lanes(job_.group - channel);
        wrong_ = none();
        for (Block block = first_block(job_.w); block.count > 0; block = next_block(job_.w, block)) {
            in_pairs(band_.axis.input, [&](auto n, int64_t row) { look_along<n>(block, row); });
            in_pairs(block.count, [&](auto n, int64_t column) { look_down<n>(block.first, column); });
        }
        write(static_cast<T*>(job_.out_grad) + large, job_.group - channel);
        return !any(wrong_);
    }

private:
    template <class Body>
    static void in_pairs(int64_t count, const Body& body) {
        int64_t i = 0;
        for (; i + kAbreast <= count; i += kAbreast) {
            body(Constant<kAbreast>{}, i);
        }
        for (; i < count; ++i) {
            body(Constant<1>{}, i);
        }
    }

    // Windows of rows `row` ..
    template <int N>
    [[gnu::noinline]] void look_along(const Block& block, int64_t row) {
        const FastAxis w = job_.w;
        const int64_t pixel_step = job_.large.pixel_step, row_step = job_.large.row_step;
        const int64_t height = band_.axis.input;
        const Mask inside = inside_;
        const int64_t last_address = (places_ - 1 - row * w.input) * kLanes;
        const T* from = input_ + row * row_step;
        Placed* to = rows_ + row;
        slide(
            w, block, reinterpret_cast<Abreast<Placed, N>*>(kept_),
            [&](int64_t pixel, auto n) {
                const int64_t address = last_address - (pixel + n * w.input) * kLanes;
                return Placed::of(load_where(inside, from + pixel * pixel_step + n * row_step, 0),
                                  lane_numbers() + splat(static_cast<int32_t>(address)));
            },
            [&](int64_t, const Abreast<Placed, N>& found) {
                unroll<N>([&](auto n) { to[n] = found.of[n]; });
                to += height;
            });
    }

    // Columns `column` .. of the block, which begins with column `first`.
    template <int N>
    [[gnu::noinline]] void look_down(int64_t first, int64_t column) {
        const FastAxis h = band_.axis;
        const int64_t pixel_step = job_.small.pixel_step, row_step = job_.small.row_step;
        const Mask inside = inside_, all_lanes = first_lanes(kLanes);
        const Placed* from = rows_ + column * h.input;
        const T* output = output_ + (first + column) * pixel_step;
        const T* grad = grad_ + (first + column) * pixel_step;
        Floats sum[N], lowest{};
        Ints address[N];
        Mask right = all_lanes;
        RunList lists[N];
        unroll<N>([&](auto n) {
            sum[n] = Floats{};
            address[n] = splat(int32_t{-1});
            lists[n] = RunList(lists_ + n * RunList::floats(h.output), h.output);
        });
        const auto found = [&](int64_t window, const Abreast<Placed, N>& seen) {
            unroll<N>([&](auto n) {
                const Floats value = load_where(inside, output + n * pixel_step, 0);
                lowest = smallest(value, lowest);
                right = equal_where(right, seen.of[n].value(), value);
                const Ints now = seen.of[n].address();
                const Mask same = equal(now, address[n]);
                if (window > 0) {
                    lists[n].end(without(all_lanes, same), address[n]);
                }
                sum[n] = add_where(same, load_where(inside, grad + n * pixel_step, 0), sum[n]);
                address[n] = now;
                lists[n].add(sum[n]);
            });
            output += row_step;
            grad += row_step;
        };
        for (Block block = first_block(h); block.count > 0; block = next_block(h, block)) {
            slide(
                h, block, reinterpret_cast<Abreast<Placed, N>*>(kept_),
                [&](int64_t row, auto n) { return from[row + n * h.input]; }, found);
        }
        unroll<N>([&](auto n) {
            lists[n].end(all_lanes, address[n]);
            lists[n].add_up(totals_);
        });
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
        const int64_t pixels = job_.w.input, pixel_step = job_.large.pixel_step;
        float* total = lists_;
        const auto clear = [&](int64_t rows) {
            for (int64_t count = rows * pixels; count > 0; --count) {
                total -= kLanes;
                store(total, Floats{});
            }
        };
        clear(band_.begin - band_.first_row);
        for (int64_t row = band_.begin; row < band_.end; ++row) {
            T* to = out_grad + row * job_.large.row_step;
            for (int64_t pixel = 0; pixel < pixels; ++pixel, to += pixel_step) {
                total -= kLanes;
                store_pixel(to, load(total));
                store(total, Floats{});
            }
        }
        clear(band_.first_row + band_.axis.input - band_.end);
    }

    const FastJob& job_;
    const Band band_;
    const int64_t places_;
    const T *input_ = nullptr, *output_ = nullptr, *grad_ = nullptr; // the panel's
    Mask inside_ = none(), wrong_ = none();
    Placed* rows_;  // the windows of rows, a block of columns of them, column by column
    Placed* kept_;  // slide's
    float* totals_; // by address: the last place comes first
    float* lists_;
};

inline int64_t band_rows(const FastJob& job) {
    return least(job.h.input, most(job.h.kernel, kTotalFloats / (job.w.input * kLanes)));
}

// Rows that a band may look at.
inline int64_t rows_seen(const FastJob& job) {
    return least(job.h.input, band_rows(job) + 2 * (job.h.kernel - 1));
}

inline int64_t channel_runs_scratch(const FastJob& job) {
    const int64_t rows = rows_seen(job), windows = least(job.h.output, band_rows(job) + job.h.kernel - 1);
    const int64_t kept = kAbreast * most(job.h.kernel, job.w.kernel);
    const int64_t placed = rows * least(job.w.output, job.w.kernel) + kept;
    return (2 * placed + rows * job.w.input) * kLanes + kAbreast * RunList::floats(windows);
}

template <class T, class Placed>
void channel_runs_of(const FastJob& job, int64_t begin, int64_t end, const Band& band, float* scratch,
                     const Redo& redo) {
    ChannelRuns<T, Placed> strategy(job, band, scratch);
    for (int64_t unit = begin; unit < end; ++unit) {
        bool right = true;
        for (int64_t channel = 0; channel < job.group; channel += kLanes) {
            right = strategy.run(unit, channel) && right;
        }
        if (!right) {
            redo.call(redo.context, unit, band.begin, band.end);
        }
    }
}

template <class T>
void channel_runs(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                  float* scratch, const Redo& redo) {
    for (int64_t row = row_begin; row < row_end; row += band_rows(job)) {
        const Band band = band_of(job.h, row, least(row_end, row + band_rows(job)));
        if (sizeof(T) == 2 && PlacedKey::fits(band.axis.input * job.w.input * kLanes)) {
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
