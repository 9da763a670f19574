// The jobs that scatter.h is for.
#pragma once

#include "scatter_layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kMostScatterFloats = int64_t{144} << 10; // of scratch memory: within a second-level cache

inline int64_t scatter_floats(const FastJob& job) {
    float* const none = nullptr;
    return scatter_rows(none, scatter_layout(job), job).end - none;
}

// Where it is the faster: windows few against positions, and rows that leave room in the second-level cache.
inline bool scatter_pays(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    const bool few = h.stride * w.stride >= 9;
    if (job.group == 1) {
        return few || h.kernel + w.kernel >= 18;
    }
    const bool narrow = job.group < kLineFloats;
    return (few || narrow) &&
           scatter_floats(job) <= (narrow ? kMostScatterFloats : kMostScatterFloats / 3 * 2);
}

inline bool scatter_fits(const FastJob& job) {
    const auto fits = [](const FastAxis& axis) {
        return axis.stride > 1 && axis.kernel > axis.stride && axis.kernel <= kMostSide;
    };
    const int64_t elements = most(job.large.row_step * job.h.input, nobodys(scatter_layout(job)));
    return fits(job.h) && fits(job.w) && job.large.pixel_step == job.group && elements < INT32_MAX / 2 &&
           scatter_pays(job);
}

// Before planes are laid side by side.
inline bool scatter_fits_planes(const FastJob& job) {
    return job.group == 1 && job.w.output >= kLanes && scatter_fits(job);
}

// Before windows are searched one by one: where they fill vectors, and are not that few.
inline bool scatter_fits_wide_planes(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    const int64_t positions = h.stride * w.stride, taps = h.kernel * w.kernel;
    const int64_t vectors = positions > 9 && taps < 49 ? 3 : 2;
    return positions <= 16 && w.output >= vectors * kLanes && scatter_fits_planes(job);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
