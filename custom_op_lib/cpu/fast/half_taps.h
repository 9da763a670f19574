// Float16 windows of 3 x 3, two apart, NCHW, told tap by tap as in tap_by_tap.h, but by the bits: they are
// compared as they lie in memory, and only gradients are converted.
//
// Of a row of windows one input row hands to the next what each looks for: its orig_output until a tap has
// been equal, then nothing, which is -0's bits, as for NaN. Taps that repeat one before them in their row are
// made NaN, so that no comparison has to wait for another. Where no value is -0 that is what the
// specification does; a plane in which one is seen is written again with every -0 made +0, and so are those
// behind it.
#pragma once

#include "../simd/half_shuffles.h"
#include "../simd/unroll.h"
#include "../simd/words_avx512.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// P is the padding on the left, 0 or 1.
template <int P, bool any_zeros>
class HalfTaps {
public:
    HalfTaps(const FastJob& job, float* scratch) : job_(job), count_(vectors(job)) {
        windows_ = reinterpret_cast<Windows*>(scratch);
        limits_ = reinterpret_cast<uint16_t*>(windows_ + count_);
        row_ = limits_ + count_ * kLanes;
        output_row_ = row_ + row_room();
        grad_row_ = output_row_ + count_ * kLanes;
        spare_ = grad_row_ + count_ * kLanes;
        for (int64_t i = 0; i < count_ * kLanes; ++i) {
            limits_[i] = i < job.w.output ? kInfinity : kNothing;
        }
        const auto end = [&](const void* tensor, const FastTensor& steps) {
            return static_cast<const uint16_t*>(tensor) + first_element(job, steps, job.groups - 1) +
                   steps.group_step;
        };
        input_end_ = end(job.orig_input, job.large);
        output_end_ = end(job.orig_output, job.small);
        grad_end_ = end(job.grad, job.small);
        const auto address = reinterpret_cast<uintptr_t>(job.out_grad);
        stream_ = job.stream && job.w.input % kLanes == 0 && address % sizeof(Words) == 0;
    }

    static int64_t scratch(const FastJob& job) {
        const int64_t count = vectors(job);
        return count * static_cast<int64_t>(sizeof(Windows) + 3 * sizeof(Words)) / 4 +
               (2 * count + 1) * static_cast<int64_t>(2 * sizeof(Words)) / 4;
    }

    // False where a -0 has been seen.
    bool run(int64_t unit, int64_t begin, int64_t end) {
        const int64_t large = first_element(job_, job_.large, unit);
        const int64_t small = first_element(job_, job_.small, unit);
        orig_input_ = static_cast<const uint16_t*>(job_.orig_input) + large;
        out_grad_ = static_cast<uint16_t*>(job_.out_grad) + large;
        orig_output_ = static_cast<const uint16_t*>(job_.orig_output) + small;
        grad_ = static_cast<const uint16_t*>(job_.grad) + small;
        lowest_ = Words{};
        for (int64_t v = 0; v < count_; ++v) {
            windows_[v].sought = splat_word(kNothing);
        }
        int64_t window = most(0, (begin + job_.h.pad - 1) / 2); // the first that reaches `begin`
        for (int64_t row = 2 * window - job_.h.pad; row < end; row += 2, ++window) {
            if (stream_ && row >= begin) {
                write_pair<true>(row, window, begin, end);
            } else {
                write_pair<false>(row, window, begin, end);
            }
        }
        return any_zeros || equal(lowest_, splat_word(kNothing)) == 0;
    }

private:
    static constexpr int16_t kInfinity = 0x7c00, kNan = 0x7e00,
                             kNothing = -0x8000; // -0, the lowest whole number

    struct Windows {
        Floats grad;
        Words sought;
        Words unused;
    };

    struct Columns {
        Words even, odd;
    };

    struct Taps {
        Words tap[3];
    };

    // The gradients that a vector of windows gives to its taps in a row.
    struct Won {
        Floats first;
        Words second;
        Floats third;
    };

    static int64_t vectors(const FastJob& job) {
        return (most(job.w.output, (job.w.input + 1) / 2) + kLanes - 1) / kLanes;
    }

    int64_t row_room() const { return (count_ + (P == 0)) * 2 * kLanes; }

    // What there is of a row of `width`, where up to `room` is read and that may be past the tensor's end.
    static const uint16_t* copied(const uint16_t* row, int64_t width, int64_t room, uint16_t* to) {
        for (int64_t i = 0; i < room; i += kLanes) {
            store(to + i, load_words_part(row + i, most(0, width - i)));
        }
        return to;
    }

    const uint16_t* input_row(int64_t row) const {
        const int64_t width = job_.w.input;
        const uint16_t* from = orig_input_ + most(0, row) * width;
        const bool past_row = 2 * job_.w.output - P >= width; // the last window is
        if (row >= 0 && !past_row && input_end_ - from >= row_room()) {
            return from;
        }
        return copied(from, row < 0 ? 0 : width, row_room(), row_);
    }

    const uint16_t* small_row(const uint16_t* row, const uint16_t* end, bool there, uint16_t* to) const {
        const bool inside = there && end - row >= count_ * kLanes;
        return inside ? row : copied(row, there ? job_.w.output : 0, count_ * kLanes, to);
    }

    [[gnu::always_inline]] static Words read(const uint16_t* from, Words& seen) {
        const Words bits = load_words(from);
        if constexpr (any_zeros) {
            return without(bits, where_equal(bits, splat_word(kNothing)));
        } else {
            seen = lowest(seen, bits);
            return bits;
        }
    }

    [[gnu::always_inline]] static Words read_sought(const uint16_t* from, const uint16_t* limits,
                                                    Words& seen) {
        const Words bits = read(from, seen);
        const Words none = where_greater(bits & splat_word(0x7fff), load_words(limits));
        return pick(none, splat_word(kNothing), bits);
    }

    [[gnu::always_inline]] static Columns read_columns(const uint16_t* from, Words& seen) {
        ask_ahead(from);
        const Words a = read(from, seen), b = read(from + kLanes, seen);
        return {evens(a, b), odds(a, b)};
    }

    [[gnu::always_inline]] static Taps taps(Words first, Words second, Words third) {
        return {{first, second | where_equal(first, second),
                 third | where_equal(first, third) | where_equal(second, third)}};
    }

    // Calls `win` with the taps of each vector of windows and writes what they win.
    template <bool streamed, class Win>
    [[gnu::always_inline]] void walk(int64_t row, uint16_t* to, const Win& win) {
        const uint16_t* from = input_row(row);
        const int64_t count = count_;
        Words seen = lowest_;
        Columns columns = {splat_word(kNan), splat_word(kNan)};
        if constexpr (P == 0) {
            columns = read_columns(from, seen);
            from += 2 * kLanes;
        }
        Won before{};
        Columns sums{};
        for (int64_t v = 0; v < count; ++v) {
            const Columns next = read_columns(from + v * 2 * kLanes, seen);
            if constexpr (P == 0) { // taps: even, odd, the column behind
                if (v > 0) {
                    put<streamed>(to + (v - 1) * 2 * kLanes, sums);
                }
                const Words behind = one_ahead(columns.even, next.even);
                const Won won = win(v, taps(columns.even, columns.odd, behind), seen);
                sums = {rounded(one_behind(before.third, won.third) + won.first), won.second};
                before = won;
            } else { // taps: the column before, even, odd
                const Won won = win(v, taps(one_behind(columns.odd, next.odd), next.even, next.odd), seen);
                if (v > 0) {
                    put<streamed>(
                        to + (v - 1) * 2 * kLanes,
                        {before.second, rounded(before.third + one_ahead(before.first, won.first))});
                }
                before = won;
            }
            columns = next;
        }
        lowest_ = seen;
        if constexpr (P == 1) {
            sums = {before.second, rounded(before.third + one_ahead(before.first, Floats{}))};
        }
        put_part<streamed>(to, sums);
    }

    template <bool streamed>
    [[gnu::always_inline]] static void put(uint16_t* to, const Columns& sums) {
        store_or_stream<streamed>(to, lower_in_turn(sums.even, sums.odd));
        store_or_stream<streamed>(to + kLanes, upper_in_turn(sums.even, sums.odd));
    }

    // The last vectors of a row.
    template <bool streamed>
    void put_part(uint16_t* to, const Columns& sums) const {
        const int64_t at = (count_ - 1) * 2 * kLanes;
        put_part<streamed>(to + at, lower_in_turn(sums.even, sums.odd), job_.w.input - at);
        put_part<streamed>(to + at + kLanes, upper_in_turn(sums.even, sums.odd), job_.w.input - at - kLanes);
    }

    template <bool streamed>
    static void put_part(uint16_t* to, Words bits, int64_t count) {
        if (count >= kLanes) {
            store_or_stream<streamed>(to, bits);
        } else if (count > 0) {
            store_part(to, bits, count);
        }
    }

    template <bool streamed>
    void write_pair(int64_t row, int64_t window, int64_t begin, int64_t end) {
        const auto place = [&](int64_t at) { return at < begin ? spare_ : out_grad_ + at * job_.w.input; };
        write_shared<streamed>(row, window, place(row));
        if (row + 1 < end) {
            write_own<streamed>(row + 1, place(row + 1));
        }
    }

    // The last row of the windows before, and the first of row `window` of windows.
    template <bool streamed>
    [[gnu::noinline]] void write_shared(int64_t row, int64_t window, uint16_t* to) {
        const int64_t at = window * job_.small.row_step;
        const bool there = window < job_.h.output;
        const uint16_t* outputs = small_row(orig_output_ + at, output_end_, there, output_row_);
        const uint16_t* grads = small_row(grad_ + at, grad_end_, there, grad_row_);
        const uint16_t* limits = limits_;
        Windows* windows = windows_;
        walk<streamed>(row, to, [=](int64_t v, const Taps& taps, Words& seen) {
            const Windows above = windows[v];
            const Words sought = read_sought(outputs + v * kLanes, limits + v * kLanes, seen);
            const Floats grad = values(load_words(grads + v * kLanes));
            Floats won[3];
            Mask found = none();
            unroll<3>([&](auto tap) {
                const Mask here = equal(taps.tap[tap], sought);
                const Floats last = only(equal(taps.tap[tap], above.sought), above.grad);
                won[tap] = add_where(here, last, grad);
                found = either(found, here);
            });
            windows[v].grad = grad;
            windows[v].sought = pick(found, splat_word(kNothing), sought);
            return Won{won[0], rounded(won[1]), won[2]};
        });
        grads_ = grads;
    }

    // The middle row of the windows that `write_shared` began.
    template <bool streamed>
    [[gnu::noinline]] void write_own(int64_t row, uint16_t* to) {
        const uint16_t* grads = grads_;
        Windows* windows = windows_;
        walk<streamed>(row, to, [=](int64_t v, const Taps& taps, Words&) {
            const Windows here = windows[v];
            const Mask first = equal(taps.tap[0], here.sought), second = equal(taps.tap[1], here.sought);
            const Mask third = equal(taps.tap[2], here.sought), found = either(either(first, second), third);
            windows[v].sought = pick(found, splat_word(kNothing), here.sought);
            return Won{only(first, here.grad), load_words_only(second, grads + v * kLanes),
                       only(third, here.grad)};
        });
    }

    const FastJob& job_;
    const int64_t count_; // vectors of windows in a row
    Windows* windows_;
    uint16_t* limits_;                        // up to which magnitude orig_output is to be looked for
    uint16_t *row_, *output_row_, *grad_row_; // copies of rows that may not be read past their end
    uint16_t* spare_;                         // a row that nobody wants
    const uint16_t *input_end_, *output_end_, *grad_end_;
    bool stream_;
    const uint16_t *orig_input_ = nullptr, *orig_output_ = nullptr, *grad_ = nullptr;
    const uint16_t* grads_ = nullptr; // of the windows of `write_own`
    uint16_t* out_grad_ = nullptr;
    Words lowest_{};
};

template <int P>
void half_taps(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
               float* scratch, const Redo&) {
    HalfTaps<P, false> bits(job, scratch);
    int64_t unit = begin;
    while (unit < end && bits.run(unit, row_begin, row_end)) {
        ++unit;
    }
    end_streams();
    if (unit < end) {
        HalfTaps<P, true> zeros(job, scratch);
        for (; unit < end; ++unit) {
            zeros.run(unit, row_begin, row_end);
        }
        end_streams();
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
