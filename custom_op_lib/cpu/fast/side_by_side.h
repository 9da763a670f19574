// Narrow rows of many planes: as many planes side by side as a vector has lanes, as NHWC has channels,
// through the strategy that those take.
#pragma once

#include "band.h"
#include "pack.h"
#include "turn.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kTurnedFloats = int64_t{64} << 10; // of a band of rows: within a second-level cache
constexpr int64_t kMostTurned = 16;                  // groups of kLanes planes

struct Range {
    int64_t begin, end;
};

// Rows of out_grad whose band fits the memory.
inline int64_t band_rows(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    const int64_t floats_a_row = 2 * kLanes * (w.input + (w.output + h.stride - 1) / h.stride);
    return most(h.kernel, least(h.input, kTurnedFloats / floats_a_row));
}

// Floats of a group's band in a tensor, at most, and how many groups are worked on together.
struct TurnedSizes {
    int64_t large, small, groups;
};

inline TurnedSizes turned_sizes(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    const int64_t rows = least(h.input, band_rows(job) + 2 * h.kernel + h.stride);
    const int64_t windows = least(h.output, (band_rows(job) + h.kernel) / h.stride + 2);
    const int64_t large = rows * w.input * kLanes, small = windows * w.output * kLanes;
    const int64_t fitting = kTurnedFloats / (2 * (large + small));
    return {large, small, most(1, least(fitting, kMostTurned))};
}

// A band of planes as a job of its own: groups of kLanes channels.
inline FastJob turned_job(const FastJob& job, const Band& band, const TurnedSizes& sizes) {
    const FastAxis &h = job.h, &w = job.w;
    FastJob turned{};
    turned.large = {0, sizes.large, w.input * kLanes, kLanes};
    turned.small = {0, sizes.small, w.output * kLanes, kLanes};
    turned.groups = turned.groups_per_image = sizes.groups;
    turned.group = kLanes;
    turned.h = axis_of(h, band);
    turned.w = w;
    return turned;
}

// One for all bands: its scratch memory is that of the whole planes.
template <FastChoice (*choose_turned)(const FastJob&)>
FastChoice turned_choice(const FastJob& job, const TurnedSizes& sizes) {
    return choose_turned(turned_job(job, band_of(job.h, 0, job.h.input), sizes));
}

// Whether a vector of planes is less work than vectors of a row's windows: it leaves fewer lanes empty, or
// those are far apart.
inline bool side_by_side_fits(const FastJob& job) {
    const int64_t turned = (job.groups + kLanes - 1) / kLanes * job.w.output;
    const int64_t in_rows = job.groups * ((job.w.output + kLanes - 1) / kLanes);
    const int64_t lane_by_lane = job.w.stride > kMostShuffled ? 4 : 1;
    return job.group == 1 && job.large.pixel_step == 1 && 4 * turned < 3 * lane_by_lane * in_rows;
}

template <class T, FastChoice (*choose_turned)(const FastJob&)>
class SideBySide {
public:
    SideBySide(const FastJob& job, float* scratch, const Redo& redo)
        : job_(job), sizes_(turned_sizes(job)), choice_(turned_choice<choose_turned>(job, sizes_)),
          redo_(redo) {
        orig_input_ = scratch;
        out_grad_ = orig_input_ + sizes_.groups * sizes_.large;
        orig_output_ = out_grad_ + sizes_.groups * sizes_.large;
        grad_ = orig_output_ + sizes_.groups * sizes_.small;
        rest_ = grad_ + sizes_.groups * sizes_.small;
    }

    int64_t most_planes() const { return sizes_.groups * kLanes; }

    // `count` planes from number `first` on, at most most_planes().
    void run(int64_t first, int64_t count, int64_t begin, int64_t end) {
        const int64_t rows = band_rows(job_);
        for (int64_t row = begin; row < end; row += rows) {
            run_band(band_of(job_.h, row, least(end, row + rows)), first, count);
        }
    }

private:
    // Where kLanes planes begin; lanes without a plane read the last one.
    struct Places {
        int64_t large[kLanes], small[kLanes];
    };

    Places places_of(int64_t first, int64_t count) const {
        Places places;
        for (int64_t lane = 0; lane < kLanes; ++lane) {
            const int64_t unit = first + least(lane, count - 1);
            places.large[lane] = first_element(job_, job_.large, unit);
            places.small[lane] = first_element(job_, job_.small, unit);
        }
        return places;
    }

    void run_band(const Band& band, int64_t first, int64_t count) {
        const int64_t groups = (count + kLanes - 1) / kLanes;
        for (int64_t group = 0; group < groups; ++group) {
            turn_in(band, group, places_of(first + group * kLanes, count - group * kLanes));
        }
        FastJob turned = turned_job(job_, band, sizes_);
        turned.orig_input = orig_input_;
        turned.orig_output = orig_output_;
        turned.grad = grad_;
        turned.out_grad = out_grad_;
        bool wrong[kMostTurned] = {};
        const Redo note{
            [](void* context, int64_t group, int64_t, int64_t) { static_cast<bool*>(context)[group] = true; },
            wrong};
        choice_.run(turned, 0, groups, band.begin - band.row, band.end - band.row, rest_, note);
        for (int64_t group = 0; group < groups; ++group) {
            const int64_t unit = first + group * kLanes, planes = least(kLanes, first + count - unit);
            if (wrong[group]) {
                redo(unit, planes, band);
            } else {
                turn_out(band, group, places_of(unit, planes), planes);
            }
        }
    }

    void turn_in(const Band& band, int64_t group, const Places& places) {
        const FastAxis& w = job_.w;
        const int64_t small = group * sizes_.small;
        turn_rows(orig_input_ + group * sizes_.large, job_.orig_input, places.large,
                  {band.row, band.last_row}, job_.large, w.input);
        const Range windows{band.window, band.last_window};
        turn_rows(orig_output_ + small, job_.orig_output, places.small, windows, job_.small, w.output);
        turn_rows(grad_ + small, job_.grad, places.small, windows, job_.small, w.output);
    }

    void turn_out(const Band& band, int64_t group, const Places& places, int64_t planes) {
        T* to[kLanes];
        for (int64_t lane = 0; lane < kLanes; ++lane) {
            to[lane] = static_cast<T*>(job_.out_grad) + places.large[lane] + band.begin * job_.large.row_step;
        }
        const int64_t width = job_.w.input, skipped = (band.begin - band.row) * width * kLanes;
        turn_back(out_grad_ + group * sizes_.large + skipped, to, planes, (band.end - band.begin) * width);
    }

    void redo(int64_t unit, int64_t planes, const Band& band) const {
        for (int64_t plane = unit; plane < unit + planes; ++plane) {
            redo_.call(redo_.context, plane, band.begin, band.end);
        }
    }

    // Rows of kLanes planes, which begin at the elements `planes`.
    static void turn_rows(float* to, const void* from, const int64_t* planes, Range rows,
                          const FastTensor& tensor, int64_t width) {
        const bool one_run = tensor.row_step == width;
        const int64_t runs = one_run ? 1 : rows.end - rows.begin;
        const int64_t count = one_run ? (rows.end - rows.begin) * width : width;
        for (int64_t run = 0; run < runs; ++run, to += count * kLanes) {
            const T* begin[kLanes];
            for (int64_t lane = 0; lane < kLanes; ++lane) {
                begin[lane] =
                    static_cast<const T*>(from) + planes[lane] + (rows.begin + run) * tensor.row_step;
            }
            turn(begin, count, kLanes * tensor.group_step, to);
        }
    }

    const FastJob& job_;
    const TurnedSizes sizes_;
    const FastChoice choice_;
    const Redo& redo_;
    float *orig_input_, *out_grad_, *orig_output_, *grad_, *rest_;
};

template <class T, FastChoice (*choose_turned)(const FastJob&)>
void side_by_side(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin, int64_t row_end,
                  float* scratch, const Redo& redo) {
    SideBySide<T, choose_turned> strategy(job, scratch, redo);
    for (int64_t first = begin; first < end; first += strategy.most_planes()) {
        strategy.run(first, least(strategy.most_planes(), end - first), row_begin, row_end);
    }
}

template <FastChoice (*choose_turned)(const FastJob&)>
int64_t side_by_side_scratch(const FastJob& job) {
    const TurnedSizes sizes = turned_sizes(job);
    const int64_t turned = 2 * sizes.groups * (sizes.large + sizes.small);
    return turned + turned_choice<choose_turned>(job, sizes).scratch;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
