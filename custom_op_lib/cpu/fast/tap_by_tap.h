// Windows of 2 x 2 and 3 x 3, tap by tap: an input row is read once and its gradient written once, whatever
// the values are.
#pragma once

#include "open_rows.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// `Axis` is how windows lie side by side in a vector: TapPlanes or TapPixels.
template <class T, int K, int S, class Axis>
class TapByTap {
public:
    TapByTap(const FastJob& job, float* scratch)
        : job_(job), masks_(scratch, Axis::vectors(job)), axis_(job, masks_.end()) {}

    void run(int64_t unit, int64_t begin, int64_t end) const {
        const int64_t large = first_element(job_, job_.large, unit);
        const int64_t small = first_element(job_, job_.small, unit);
        const T* from = static_cast<const T*>(job_.orig_input) + large;
        T* to = static_cast<T*>(job_.out_grad) + large;
        const T* output = static_cast<const T*>(job_.orig_output) + small;
        const T* grad = static_cast<const T*>(job_.grad) + small;
        const int64_t first =
            most(0, (begin + job_.h.pad - K + S) / S); // the first window that reaches `begin`
        for (int64_t window = first; window * S - job_.h.pad < end; ++window) {
            unroll<S>([&](auto row) {
                const int64_t h = window * S - job_.h.pad + row;
                if (h >= 0 && h < end) {
                    const auto rows = open_rows<K, S, row>(job_, masks_, h, output, grad);
                    axis_.template row<row>(rows.at, from + h * job_.large.row_step,
                                            h < begin ? nullptr : to + h * job_.large.row_step);
                }
            });
        }
    }

    static int64_t scratch(const FastJob& job) {
        return MaskRows::floats(Axis::vectors(job)) + Axis::scratch(job);
    }

private:
    const FastJob& job_;
    const MaskRows masks_;
    const Axis axis_;
};

template <class T, int K, int S, class Axis>
void tap_by_tap(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                float* scratch, const Redo&) {
    const TapByTap<T, K, S, Axis> strategy(job, scratch);
    for (int64_t unit = begin; unit < end; ++unit) {
        strategy.run(unit, row_begin, row_end);
    }
    end_streams();
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
