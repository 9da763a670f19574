// Windows of 2 x 2 and 3 x 3, as separable.h tells them, but down the rows in registers: each input row is
// read once, and its sums are stored once.
#pragma once

#include "small_layout.h"
#include "small_row.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// `Axis` is how windows lie side by side in a vector: SmallPlanes or SmallPixels.
template <class T, int K, int S, class Axis>
class Small {
public:
    Small(const FastJob& job, float* scratch)
        : job_(job), at_(small_layout<K, S>(job)), tap_rows_(scratch), kept_(scratch + at_.rows * at_.row),
          vectors_(Axis::vectors(job)) {
        for (float* to = tap_rows_; to < kept_; to += kLanes) {
            store(to, Floats{});
        }
    }

    // False where the rows have to be written again.
    bool run(int64_t unit, int64_t begin, int64_t end) {
        const FastAxis& h = job_.h;
        place(unit);
        begin_ = begin;
        end_ = end;
        right_ = true;
        const int64_t first = most(0, (begin + h.pad - K + S) / S);
        const int64_t last = least(h.output, (end - 1 + h.pad) / S + 1);
        for (int64_t window = first; window < last; window += at_.block) {
            const int64_t next = least(last, window + at_.block);
            for (int64_t v = 0; v < vectors_; ++v) {
                down(v, window, next, window == first, next == last);
            }
            finish(window * S - h.pad, next == last ? next * S - h.pad + K - S : next * S - h.pad);
        }
        const int64_t covered = first < last ? (last - 1) * S - h.pad + K : 0;
        for (int64_t row = most(begin, covered); row < end; ++row) {
            clear(row);
        }
        return right_;
    }

private:
    void place(int64_t unit) {
        const int64_t large = first_element(job_, job_.large, unit);
        const int64_t small = first_element(job_, job_.small, unit);
        orig_input_ = static_cast<const T*>(job_.orig_input) + large;
        out_grad_ = static_cast<T*>(job_.out_grad) + large;
        orig_output_ = static_cast<const T*>(job_.orig_output) + small;
        grad_ = static_cast<const T*>(job_.grad) + small;
    }

    [[gnu::always_inline]] SmallRow<K> read(int64_t row, int64_t v) const {
        if (row < 0 || row >= job_.h.input) {
            return row_outside<K>();
        }
        Floats taps[K];
        const T* from = orig_input_ + row * job_.large.row_step;
        Axis::ask_ahead(job_, from + at_.block * S * job_.large.row_step, v);
        Axis::taps(job_, from, v, taps);
        return small_row<K>(taps);
    }

    // The windows [window, next) of vector `v`.
    void down(int64_t v, int64_t window, int64_t next, bool is_first, bool is_last) {
        SmallRow<K> rows[K];
        float* keeping = kept_ + v * at_.kept;
        unroll<K - S>([&](auto row) {
            rows[row] =
                is_first ? read(window * S - job_.h.pad + row, v) : kept<K>(keeping + row * (K + 2) * kLanes);
        });
        const int64_t lanes = Axis::lanes(job_, v);
        const Mask counted = first_lanes(lanes);
        Mask wrong = none();
        float* to = tap_rows_ + at_.front + Axis::place(job_, v);
        const T* output = orig_output_ + window * job_.small.row_step + Axis::small_place(job_, v);
        const T* grad = grad_ + window * job_.small.row_step + Axis::small_place(job_, v);
        for (; window < next; ++window) {
            const int64_t first = window * S - job_.h.pad;
            unroll<S>([&](auto row) { rows[K - S + row] = read(first + K - S + row, v); });
            const Mask right = lanes == kLanes
                                   ? route_small<K>(rows, load(output), load(grad))
                                   : route_small<K>(rows, load_part(output, lanes), load_part(grad, lanes));
            wrong = either(wrong, without(counted, right));
            unroll<S>([&](auto row) { store_taps<K>(rows[row], to + row * at_.row, at_.tap); });
            unroll<K - S>([&](auto row) { rows[row] = rows[row + S]; });
            to += S * at_.row;
            __builtin_prefetch(output + at_.block * job_.small.row_step);
            __builtin_prefetch(grad + at_.block * job_.small.row_step);
            output += job_.small.row_step;
            grad += job_.small.row_step;
        }
        unroll<K - S>([&](auto row) {
            if (is_last) {
                store_taps<K>(rows[row], to + row * at_.row, at_.tap);
            } else {
                keep<K>(rows[row], keeping + row * (K + 2) * kLanes);
            }
        });
        right_ = right_ && !any(wrong);
    }

    // The block's rows [first, last), of which those of this task are written.
    void finish(int64_t first, int64_t last) {
        for (int64_t row = most(first, begin_); row < least(last, end_); ++row) {
            Axis::gather(job_, tap_rows_ + (row - first) * at_.row + at_.front, at_.tap,
                         out_grad_ + row * job_.large.row_step);
        }
    }

    // A row below the last window.
    void clear(int64_t row) {
        T* to = out_grad_ + row * job_.large.row_step;
        for (int64_t pixel = 0; pixel < job_.w.input; ++pixel, to += job_.large.pixel_step) {
            __builtin_memset(to, 0, static_cast<size_t>(job_.group) * sizeof(T));
        }
    }

    const FastJob& job_;
    const SmallLayout at_;
    float* const tap_rows_;
    float* const kept_;
    const int64_t vectors_;
    const T* orig_input_ = nullptr;
    const T* orig_output_ = nullptr;
    const T* grad_ = nullptr;
    T* out_grad_ = nullptr;
    int64_t begin_ = 0, end_ = 0;
    bool right_ = true;
};

template <class T, int K, int S, class Axis>
void small(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end, float* scratch,
           const Redo& redo) {
    Small<T, K, S, Axis> strategy(job, scratch);
    for (int64_t unit = begin; unit < end; ++unit) {
        if (!strategy.run(unit, row_begin, row_end)) {
            end_streams();
            redo.call(redo.context, unit, row_begin, row_end);
        }
    }
    end_streams();
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
