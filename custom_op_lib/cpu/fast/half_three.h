// Float16 windows of 3 x 3, two apart, NCHW: rows first, then columns, as in separable.h, but compared as
// whole numbers, twice as many in a vector as of floats, and one row written after the other.
#pragma once

#include "half_row.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

inline int64_t half_vectors(const FastJob& job) {
    return (job.w.output + kHalfLanes - 1) / kHalfLanes;
}

// The rows of windows, vector by vector: the three input rows of a window, and the gradients that it gives to
// each. The third row's become the next window's `before`, for it is that one's first row.
struct HalfRows {
    HalfRow *top, *middle, *bottom;
    Halves *before, *first, *second, *third;

    HalfRows(float* scratch, int64_t vectors) {
        auto* rows = reinterpret_cast<HalfRow*>(scratch);
        top = rows;
        middle = rows + vectors;
        bottom = rows + 2 * vectors;
        before = reinterpret_cast<Halves*>(rows + 3 * vectors);
        first = before + vectors;
        second = before + 2 * vectors;
        third = before + 3 * vectors;
    }

    void next() {
        HalfRow* const free = top;
        top = bottom;
        bottom = free;
        Halves* const given = before;
        before = third;
        third = given;
    }
};

// P is the padding on the left, 0 or 1.
template <int P>
class HalfThree {
public:
    // Behind the rows that are written, up to `end`, anything may be written that is written again later.
    HalfThree(const FastJob& job, float* scratch, const uint16_t* end)
        : job_(job), vectors_(half_vectors(job)), rows_(scratch, vectors_), end_(end) {
        const int64_t last = first_element(job, job.large, job.groups - 1) + job.large.group_step;
        input_end_ = static_cast<const uint16_t*>(job.orig_input) + last;
        const auto address = reinterpret_cast<uintptr_t>(job.out_grad);
        stream_ = job.stream && job.w.input % kPieceLanes == 0 && address % (2 * kPieceLanes) == 0;
    }

    // False where the rows have to be written again.
    bool run(int64_t unit, int64_t begin, int64_t end) {
        place(unit, begin, end);
        const FastAxis& h = job_.h;
        const int64_t first = most(0, (begin + h.pad - 1) / 2);
        const int64_t last = least(h.output, (end - 1 + h.pad) / 2 + 1);
        clear(rows_.before);
        read(2 * first - h.pad, rows_.top);
        for (int64_t window = first; window < last; ++window) {
            const int64_t row = 2 * window - h.pad;
            read(row + 1, rows_.middle);
            read(row + 2, rows_.bottom);
            route(window);
            write(row, OfTwo{rows_.top, rows_.before, rows_.first});
            write(row + 1, OfOne{rows_.middle, rows_.second});
            rows_.next();
        }
        const int64_t covered = first < last ? 2 * last - h.pad : begin;
        if (first < last) {
            write(covered, OfOne{rows_.top, rows_.before});
        }
        for (int64_t row = most(begin, first < last ? covered + 1 : begin); row < end; ++row) {
            __builtin_memset(out_grad_ + row * job_.w.input, 0, static_cast<size_t>(job_.w.input) * 2);
        }
        return !any(wrong_);
    }

private:
    void place(int64_t unit, int64_t begin, int64_t end) {
        const int64_t large = first_element(job_, job_.large, unit);
        small_ = first_element(job_, job_.small, unit);
        orig_input_ = static_cast<const uint16_t*>(job_.orig_input) + large;
        out_grad_ = static_cast<uint16_t*>(job_.out_grad) + large;
        begin_ = begin;
        row_end_ = end;
        wrong_ = HalfMask{};
    }

    void clear(Halves* sums) const {
        for (int64_t v = 0; v < vectors_; ++v) {
            sums[v] = Halves{};
        }
    }

    void read(int64_t row, HalfRow* to) const {
        if (row >= 0 && row < job_.h.input) {
            const uint16_t* from = orig_input_ + row * job_.w.input;
            read_row<P>({from, job_.w.input, input_end_ - from}, vectors_, to);
            return;
        }
        for (int64_t v = 0; v < vectors_; ++v) {
            to[v] = {splat_key(kNoKey), {}};
        }
    }

    // Gives each window's gradient to the first of its rows that has its value.
    void route(int64_t window) {
        const int64_t row = small_ + window * job_.small.row_step;
        const int64_t all = first_element(job_, job_.small, job_.groups - 1) +
                            (job_.h.output - 1) * job_.small.row_step + job_.w.output;
        for (int64_t v = 0; v < vectors_; ++v) {
            const int64_t at = row + v * kHalfLanes, count = job_.w.output - v * kHalfLanes;
            const auto* outputs = static_cast<const uint16_t*>(job_.orig_output) + at;
            const auto* grads = static_cast<const uint16_t*>(job_.grad) + at;
            if (count >= kHalfLanes || at + kHalfLanes <= all) {
                route(v, count, load_bits(outputs), load_bits(grads));
            } else {
                route(v, count, load_bits_part(outputs, count), load_bits_part(grads, count));
            }
        }
    }

    void route(int64_t v, int64_t count, Halves outputs, Halves grads) {
        const HalfMask counted = first_halves(count);
        const Halves output = sought(keys(outputs)), grad = only(counted, grads);
        const Halves top = rows_.top[v].best, middle = rows_.middle[v].best, bottom = rows_.bottom[v].best;
        const HalfMask in_top = equal(top, output), in_middle = equal(middle, output);
        const HalfMask in_bottom = equal(bottom, output);
        rows_.first[v] = only(in_top, grad);
        rows_.second[v] = only(without(in_middle, in_top), grad);
        rows_.third[v] = only(without(in_bottom, either(in_top, in_middle)), grad);
        const Halves best = greatest(greatest(top, middle), bottom);
        const HalfMask greatest_value =
            without(equal(best, output), greater(splat_key(kLowestKey + 1), output));
        wrong_ = either(wrong_, without(counted, greatest_value));
    }

    // The sums that a vector of windows has won on a row, of two rows of windows or of one.
    struct OfTwo {
        const HalfRow* windows;
        const Halves *above, *below;

        TapSums operator()(int64_t v) const {
            return tap_sums(windows[v], lower_values(above[v]) + lower_values(below[v]),
                            upper_values(above[v]) + upper_values(below[v]));
        }
    };

    struct OfOne {
        const HalfRow* windows;
        const Halves* grads;

        TapGrads operator()(int64_t v) const { return tap_grads(windows[v], grads[v]); }
    };

    template <class Sums>
    void write(int64_t row, const Sums& sums) const {
        using Taps = decltype(sums(0));
        if (row < begin_ || row >= row_end_) {
            return;
        }
        uint16_t* to = out_grad_ + row * job_.w.input;
        Taps before{}, now = sums(0);
        for (int64_t v = 0, at = 0; at < job_.w.input; ++v, at += 2 * kHalfLanes) {
            const Taps behind = v + 1 < vectors_ ? sums(v + 1) : Taps{};
            const Columns columns = add_taps<P>(before, now, behind);
            put(to + at, lower_in_turn(columns.even, columns.odd), job_.w.input - at);
            put(to + at + kHalfLanes, upper_in_turn(columns.even, columns.odd),
                job_.w.input - at - kHalfLanes);
            before = now;
            now = behind;
        }
    }

    // The first `count` elements.
    void put(uint16_t* to, Halves bits, int64_t count) const {
        if (count <= 0) {
            return;
        }
        if (stream_) {
            stream_pieces(to, bits, count);
        } else if (count >= kHalfLanes || end_ - to >= kHalfLanes) {
            store(to, bits);
        } else {
            store_part(to, bits, count);
        }
    }

    const FastJob& job_;
    const int64_t vectors_;
    HalfRows rows_;
    const uint16_t* const end_;
    bool stream_ = false;
    const uint16_t *orig_input_ = nullptr, *input_end_ = nullptr;
    uint16_t* out_grad_ = nullptr;
    int64_t small_ = 0, begin_ = 0, row_end_ = 0;
    HalfMask wrong_{};
};

template <int P>
void half_three(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                float* scratch, const Redo& redo) {
    const bool whole = row_begin == 0 && row_end == job.h.input;
    for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t behind =
            whole ? first_element(job, job.large, end - 1) : first_element(job, job.large, unit);
        HalfThree<P> strategy(job, scratch,
                              static_cast<const uint16_t*>(job.out_grad) + behind + row_end * job.w.input);
        if (!strategy.run(unit, row_begin, row_end)) {
            end_streams();
            redo.call(redo.context, unit, row_begin, row_end);
        }
    }
    end_streams();
}

// Floats of scratch memory.
inline int64_t half_three_scratch(const FastJob& job) {
    return half_vectors(job) *
           static_cast<int64_t>((3 * sizeof(HalfRow) + 4 * sizeof(Halves)) / sizeof(float));
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
