// Any window: rows first, then columns, 3 k steps a window instead of k x k.
//
// It needs no look at orig_input's special values: a window whose orig_output is the maximum of its numbers
// and above -Inf is told right, and every other window is seen when its maximum is compared, and handed back.
#pragma once

#include "gather.h"
#include "layout.h"
#include "pack.h"
#include "row_maxima.h"
#include "winners.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int kMostKernel = 255;

template <class T>
class Separable {
public:
    Separable(const FastJob& job, float* scratch)
        : job_(job), at_(layout_of(job)), rows_(rows_in(scratch, at_)) {}

    // False where the rows have to be written again.
    bool run(int64_t unit, int64_t begin, int64_t end) {
        const FastAxis& h = job_.h;
        place(unit);
        int64_t window = most(0, (begin + h.pad - h.kernel + h.stride) / h.stride);
        const int64_t last = least(h.output, (end - 1 + h.pad) / h.stride + 1);
        int64_t row = most(0, least(begin, window * h.stride - h.pad));
        int64_t done = row;
        bool right = true;
        while (done < end) {
            const int64_t next = least(last, window + at_.block);
            const int64_t seen = window < last ? (next - 1) * h.stride - h.pad + h.kernel : 0;
            const int64_t wanted = least(h.input, next == last ? most(seen, end) : seen);
            prepare(row, wanted);
            row = most(row, wanted);
            for (; window < next; ++window) {
                right = route(window) && right;
            }
            const int64_t finished = least(least(row, end), next == last ? end : next * h.stride - h.pad);
            for (; done < finished; ++done) {
                if (done >= begin) {
                    finish(done);
                }
            }
        }
        return right;
    }

private:
    // Points the job at group number `unit`.
    void place(int64_t unit) {
        const int64_t large = first_element(job_, job_.large, unit);
        const int64_t small = first_element(job_, job_.small, unit);
        orig_input_ = static_cast<const T*>(job_.orig_input) + large;
        out_grad_ = static_cast<T*>(job_.out_grad) + large;
        orig_output_ = static_cast<const T*>(job_.orig_output) + small;
        grad_ = static_cast<const T*>(job_.grad) + small;
    }

    int64_t slot(int64_t row) const { return (row & (at_.ring - 1)) * at_.row + at_.front; }

    void prepare(int64_t begin, int64_t end) {
        const int64_t packed_row = at_.stride * at_.phase;
        for (int64_t row = begin; row < end; ++row) {
            pack_row(orig_input_ + row * job_.large.row_step, job_.large.pixel_step,
                     rows_.packed + (row - begin) * packed_row, at_);
        }
        for (int64_t row = begin; row < end; ++row) {
            const float* packed = rows_.packed + (row - begin) * packed_row;
            const int64_t to = slot(row);
            for (int64_t i = 0; i < at_.windows; i += kLanes) {
                store(rows_.sums + to + i, Floats{});
            }
            if (at_.kernel == 3 && at_.stride == 1) {
                row_maxima<3, 1>(packed, rows_.maxima + to, rows_.taps + to, at_);
            } else if (at_.kernel == 3 && at_.stride == 2) {
                row_maxima<3, 2>(packed, rows_.maxima + to, rows_.taps + to, at_);
            } else if (at_.kernel == 2 && at_.stride == 2) {
                row_maxima<2, 2>(packed, rows_.maxima + to, rows_.taps + to, at_);
            } else if (at_.kernel == 7 && at_.stride == 3) {
                row_maxima<7, 3>(packed, rows_.maxima + to, rows_.taps + to, at_);
            } else if (at_.kernel == 5 && at_.stride == 1) {
                row_maxima<5, 1>(packed, rows_.maxima + to, rows_.taps + to, at_);
            } else {
                row_maxima<0, 0>(packed, rows_.maxima + to, rows_.taps + to, at_);
            }
        }
    }

    bool route(int64_t window) {
        const int64_t first = window * job_.h.stride - job_.h.pad;
        const float* maxima[kMostKernel];
        float* sums[kMostKernel];
        int count = 0;
        for (int64_t row = most(0, first); row < least(job_.h.input, first + job_.h.kernel); ++row) {
            maxima[count] = rows_.maxima + slot(row);
            sums[count++] = rows_.sums + slot(row);
        }
        const WindowRows rows{maxima, sums, count};
        const T* output = orig_output_ + window * job_.small.row_step;
        const T* grad = grad_ + window * job_.small.row_step;
        if (job_.small.pixel_step == at_.group) {
            return route_in(rows, SmallRows<T>{output, grad, at_.windows});
        }
        float *outputs = rows_.small, *grads = rows_.small + at_.phase;
        for (int64_t pixel = 0; pixel < job_.w.output; ++pixel) {
            copy_row(output + pixel * job_.small.pixel_step, outputs + pixel * at_.group, at_.group);
            copy_row(grad + pixel * job_.small.pixel_step, grads + pixel * at_.group, at_.group);
        }
        return route_in(rows, SmallRows<float>{outputs, grads, at_.windows});
    }

    template <class Small>
    static bool route_in(const WindowRows& rows, const SmallRows<Small>& small) {
        switch (rows.count) {
        case 2: return route_row<2>(rows, small);
        case 3: return route_row<3>(rows, small);
        case 5: return route_row<5>(rows, small);
        case 7: return route_row<7>(rows, small);
        default: return route_row<0>(rows, small);
        }
    }

    void finish(int64_t row) {
        gather_row(rows_.sums + slot(row), rows_.taps + slot(row), at_, out_grad_ + row * job_.large.row_step,
                   job_.large.pixel_step, job_.stream);
    }

    const FastJob& job_;
    const Layout at_;
    const Rows rows_;
    const T* orig_input_ = nullptr;
    const T* orig_output_ = nullptr;
    const T* grad_ = nullptr;
    T* out_grad_ = nullptr;
};

template <class T>
void separable(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
               float* scratch, const Redo& redo) {
    Separable<T> strategy(job, scratch);
    for (int64_t unit = begin; unit < end; ++unit) {
        if (!strategy.run(unit, row_begin, row_end)) {
            end_streams();
            redo.call(redo.context, unit, row_begin, row_end);
        }
    }
    end_streams();
}

inline int64_t separable_scratch(const FastJob& job) {
    return scratch_floats(layout_of(job));
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
