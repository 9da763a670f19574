// Narrow rows of many planes: as many planes side by side as a vector has lanes, as NHWC has channels,
// through the strategy that those take.
#pragma once

#include "turn.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kTurnedFloats = int64_t{64} << 10; // of a band of rows: within a second-level cache

// Rows of out_grad, and the windows and rows of orig_input that tell them.
struct Band {
    int64_t begin, end;
    int64_t window, last_window;
    int64_t row, last_row;
};

inline Band band_of(const FastAxis& h, int64_t begin, int64_t end) {
    Band band{begin, end, 0, 0, 0, 0};
    band.window = most(0, (begin + h.pad - h.kernel) / h.stride); // its rows begin at `begin` at the latest
    band.last_window = least(h.output, (end - 1 + h.pad) / h.stride + 1);
    band.row = most(0, band.window * h.stride - h.pad);
    const int64_t seen = (band.last_window - 1) * h.stride - h.pad + h.kernel;
    band.last_row = most(end, least(h.input, seen));
    return band;
}

// Rows of out_grad whose band fits the memory.
inline int64_t band_rows(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    const int64_t floats_a_row = 2 * kLanes * (w.input + (w.output + h.stride - 1) / h.stride);
    return most(h.kernel, least(h.input, kTurnedFloats / floats_a_row));
}

// The most floats that the four tensors of a band take.
struct TurnedSizes {
    int64_t large, small;
};

inline TurnedSizes turned_sizes(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    const int64_t rows = least(h.input, band_rows(job) + 2 * h.kernel + h.stride);
    const int64_t windows = least(h.output, (band_rows(job) + h.kernel) / h.stride + 2);
    return {rows * w.input * kLanes, windows * w.output * kLanes};
}

// A band of kLanes planes as a job of its own, one group of as many channels.
inline FastJob turned_job(const FastJob& job, const Band& band) {
    const FastAxis &h = job.h, &w = job.w;
    FastJob turned{};
    turned.large = {0, 0, w.input * kLanes, kLanes};
    turned.small = {0, 0, w.output * kLanes, kLanes};
    turned.groups = turned.groups_per_image = 1;
    turned.group = kLanes;
    turned.h = {band.last_row - band.row, band.last_window - band.window, h.kernel, h.stride,
                band.row - (band.window * h.stride - h.pad)};
    turned.w = w;
    return turned;
}

// Whether a vector of planes leaves fewer lanes empty than a vector of a row's windows.
inline bool side_by_side_fits(const FastJob& job) {
    const int64_t turned = (job.groups + kLanes - 1) / kLanes * job.w.output;
    const int64_t in_rows = job.groups * ((job.w.output + kLanes - 1) / kLanes);
    return job.group == 1 && job.large.pixel_step == 1 && 4 * turned < 3 * in_rows;
}

template <class T, FastChoice (*choose_turned)(const FastJob&)>
class SideBySide {
public:
    SideBySide(const FastJob& job, float* scratch) : job_(job) {
        const TurnedSizes sizes = turned_sizes(job);
        orig_input_ = scratch;
        out_grad_ = orig_input_ + sizes.large;
        orig_output_ = out_grad_ + sizes.large;
        grad_ = orig_output_ + sizes.small;
        rest_ = grad_ + sizes.small;
    }

    // `count` planes from number `first` on, at most kLanes; false where they have to be written again.
    bool run(int64_t first, int64_t count, int64_t begin, int64_t end) {
        place(first, count);
        bool right = true;
        const int64_t rows = band_rows(job_);
        for (int64_t row = begin; row < end; row += rows) {
            right = run_band(band_of(job_.h, row, least(end, row + rows)), count) && right;
        }
        return right;
    }

private:
    // Lanes without a plane read the last one.
    void place(int64_t first, int64_t count) {
        for (int64_t lane = 0; lane < kLanes; ++lane) {
            const int64_t unit = first + least(lane, count - 1);
            large_[lane] = first_element(job_, job_.large, unit);
            small_[lane] = first_element(job_, job_.small, unit);
        }
    }

    bool run_band(const Band& band, int64_t count) {
        const FastAxis& w = job_.w;
        turn_rows(orig_input_, job_.orig_input, large_, band.row, band.last_row, job_.large, w.input);
        turn_rows(orig_output_, job_.orig_output, small_, band.window, band.last_window, job_.small,
                  w.output);
        turn_rows(grad_, job_.grad, small_, band.window, band.last_window, job_.small, w.output);
        FastJob turned = turned_job(job_, band);
        turned.orig_input = orig_input_;
        turned.orig_output = orig_output_;
        turned.grad = grad_;
        turned.out_grad = out_grad_;
        bool right = true;
        const Redo wrong{
            [](void* context, int64_t, int64_t, int64_t) { *static_cast<bool*>(context) = false; }, &right};
        choose_turned(turned).run(turned, 0, 1, band.begin - band.row, band.end - band.row, rest_, wrong);
        T* to[kLanes];
        for (int64_t lane = 0; lane < kLanes; ++lane) {
            to[lane] = static_cast<T*>(job_.out_grad) + large_[lane] + band.begin * job_.large.row_step;
        }
        turn_back(out_grad_ + (band.begin - band.row) * w.input * kLanes, to, count,
                  (band.end - band.begin) * w.input);
        return right;
    }

    // Rows [begin, end) of kLanes planes, which begin at the elements `planes`.
    static void turn_rows(float* to, const void* from, const int64_t* planes, int64_t begin, int64_t end,
                          const FastTensor& tensor, int64_t width) {
        const bool one_run = tensor.row_step == width;
        const int64_t runs = one_run ? 1 : end - begin;
        const int64_t count = one_run ? (end - begin) * width : width;
        for (int64_t run = 0; run < runs; ++run, to += count * kLanes) {
            const T* rows[kLanes];
            for (int64_t lane = 0; lane < kLanes; ++lane) {
                rows[lane] = static_cast<const T*>(from) + planes[lane] + (begin + run) * tensor.row_step;
            }
            turn(rows, count, to);
        }
    }

    const FastJob& job_;
    float *orig_input_, *out_grad_, *orig_output_, *grad_, *rest_;
    int64_t large_[kLanes], small_[kLanes];
};

template <class T, FastChoice (*choose_turned)(const FastJob&)>
void side_by_side(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                  float* scratch, const Redo& redo) {
    SideBySide<T, choose_turned> strategy(job, scratch);
    for (int64_t first = begin; first < end; first += kLanes) {
        const int64_t count = least(kLanes, end - first);
        if (!strategy.run(first, count, row_begin, row_end)) {
            for (int64_t unit = first; unit < first + count; ++unit) {
                redo.call(redo.context, unit, row_begin, row_end);
            }
        }
    }
}

template <FastChoice (*choose_turned)(const FastJob&)>
int64_t side_by_side_scratch(const FastJob& job) {
    const TurnedSizes sizes = turned_sizes(job);
    const Band largest = band_of(job.h, 0, job.h.input);
    return 2 * (sizes.large + sizes.small) + choose_turned(turned_job(job, largest)).scratch;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
