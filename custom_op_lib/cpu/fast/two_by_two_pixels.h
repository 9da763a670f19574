// Windows of 2 x 2 side by side without padding, NHWC, few channels: a row of windows is compared with both
// of its input rows, and which of the lower row's positions win is left behind as bits. One row of gradients
// is written after the other (streamed_two_by_two.h says why), in vectors that begin where cache lines do,
// over the ends of rows and images.
#pragma once

#include "pixel_bits.h"
#include "spread.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class T>
class TwoByTwoPixels {
public:
    TwoByTwoPixels(const FastJob& job, float* scratch)
        : job_(job), spread_(job.group, scratch),
          bits_(scratch + Spread<T>::scratch(job.group), job.large.row_step, job.group),
          width_(job.large.row_step), covered_(2 * job.w.output * job.group) {}

    static int64_t scratch(const FastJob& job) {
        return Spread<T>::scratch(job.group) + PixelBits::floats(job.large.row_step);
    }

    void run(int64_t unit, int64_t begin, int64_t end) {
        const int64_t large = first_element(job_, job_.large, unit);
        const int64_t small = first_element(job_, job_.small, unit);
        for (int64_t row = begin; row < end; row += 2) {
            const T* from = static_cast<const T*>(job_.orig_input) + large + row * width_;
            T* to = static_cast<T*>(job_.out_grad) + large + row * width_;
            const int64_t at = small + row / 2 * job_.small.row_step;
            if (row + 1 == job_.h.input) { // below the last window
                finish();
                std::memset(to, 0, static_cast<size_t>(width_) * sizeof(T));
                continue;
            }
            const Rows rows{from, from + width_, static_cast<const T*>(job_.orig_output) + at,
                            static_cast<const T*>(job_.grad) + at};
            if (job_.stream) {
                write<true>(rows, to);
            } else {
                write<false>(rows, to);
            }
        }
    }

    // A line that is not whole.
    void finish() {
        if (kept_ > 0) {
            store_where(lanes_between<T>(0, kept_), kept_to_, kept_values_);
            kept_ = 0;
        }
    }

private:
    using Lanes = BitMask<T>;
    static constexpr int64_t kEach = kCount<T>;
    static constexpr Lanes kAll = static_cast<Lanes>(~Lanes{0});

    struct Rows {
        const T *upper, *lower, *output, *grad;
    };

    template <bool streamed>
    void write(const Rows& rows, T* to) {
        const int64_t upper = streamed ? in_line(to) : 0, lower = streamed ? in_line(to + width_) : 0;
        upper_row<streamed>(rows, to, -upper);
        bits_.tell(upper + width_);
        lower_row<streamed>(rows, to + width_, -lower, upper);
    }

    static int64_t in_line(const T* to) {
        return static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) % kLineBytes / sizeof(T));
    }

    // Which of the upper row's positions win, from those that have their window's value; those of the vectors
    // before are kept.
    struct Winners {
        int64_t channels;
        uint64_t before = 0;

        Lanes operator()(Lanes same, Lanes left) {
            constexpr int lanes = kCount<T>;
            before = before >> lanes | static_cast<uint64_t>(same) << (64 - lanes);
            const auto beside = static_cast<Lanes>(before >> (64 - lanes - channels));
            return static_cast<Lanes>(same & (left | ~beside));
        }
    };

    template <bool streamed>
    void upper_row(const Rows rows, T* to, int64_t at) {
        const PixelBits bits = bits_;
        const int64_t front = -at;
        SpreadPlace<T> place = spread_.at(at);
        Winners winners{job_.group};
        const auto edge = [&] {
            const Lanes there = lanes_between<T>(-at, covered_ - at);
            const SpreadValues<T> values = place.values_inside(covered_ / 2);
            const auto value = sought_bits(values.read(rows.output, there));
            const auto same = [&](const T* row) {
                return both(there, equal(load_where(there, row + at), value));
            };
            const Lanes left = both(there, place.move->left), here = same(rows.upper);
            bits.set(at + front, here, same(rows.lower), left);
            const Lanes won = winners(here, left);
            write_edge<streamed>(to + at, -at, width_ - at, values.read(rows.grad, won));
            place = place.next();
            at += kEach;
        };
        if (at < 0) {
            edge();
        }
        for (; at + kEach <= covered_; at += kEach) {
            if constexpr (streamed) {
                ask_ahead(rows.upper + at);
                ask_ahead(rows.lower + at);
            }
            const SpreadValues<T> values = place.values();
            const auto value = sought_bits(values.read(rows.output, kAll));
            const Lanes left = place.move->left, here = equal(load_bits(rows.upper + at), value);
            bits.set(at + front, here, equal(load_bits(rows.lower + at), value), left);
            store_or_stream<streamed>(to + at, values.read(rows.grad, winners(here, left)));
            place = place.next();
        }
        while (at < width_) {
            edge();
        }
        bits.clear(at + front);
    }

    template <bool streamed>
    void lower_row(const Rows rows, T* to, int64_t at, int64_t front) {
        const PixelBits bits = bits_;
        SpreadPlace<T> place = spread_.at(at);
        const auto edge = [&] {
            const auto won = bits.template lower<Lanes>(at + front);
            write_edge<streamed>(to + at, -at, width_ - at,
                                 place.values_inside(covered_ / 2).read(rows.grad, won));
            place = place.next();
            at += kEach;
        };
        if (at < 0) {
            edge();
        }
        for (; at + kEach <= covered_; at += kEach) {
            store_or_stream<streamed>(to + at,
                                      place.values().read(rows.grad, bits.template lower<Lanes>(at + front)));
            place = place.next();
        }
        while (at < width_) {
            edge();
        }
    }

    // A vector whose lanes before `begin` belong to the row in front, and from `end` on to the next row.
    template <bool streamed>
    void write_edge(T* to, int64_t begin, int64_t end, Bits<T> values) {
        if (streamed && end < kEach) {
            finish();
            kept_to_ = to;
            kept_values_ = values;
            kept_ = end;
        } else if (streamed && begin > 0 && kept_ == begin && kept_to_ == to) {
            stream(to, pick(lanes_between<T>(0, begin), kept_values_, values));
            kept_ = 0;
        } else {
            store_where(lanes_between<T>(begin, end), to, values);
        }
    }

    const FastJob& job_;
    const Spread<T> spread_;
    const PixelBits bits_;
    const int64_t width_, covered_; // positions of a row, those that lie in windows
    T* kept_to_ = nullptr;          // a line that waits for the next row
    int64_t kept_ = 0;
    Bits<T> kept_values_{};
};

template <class T>
void two_by_two_pixels(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                       float* scratch, const Redo&) {
    TwoByTwoPixels<T> strategy(job, scratch);
    for (int64_t unit = begin; unit < end; ++unit) {
        strategy.run(unit, row_begin, row_end);
    }
    strategy.finish();
    end_streams();
}

// All channels together, fewer than a vector has lanes; rows so long that their ends do not count.
template <class T>
bool two_by_two_pixels_fits(const FastJob& job) {
    return job.group == job.large.pixel_step && job.group < kCount<T> && job.large.row_step >= kCount<T> &&
           job.w.output >= (2 * job.group > kCount<T> ? 8 : 4);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
