// Where the separable strategy keeps its rows. All of them count in floats and begin on a vector's boundary.
//
// Packed rows: the input row with its padding, taken apart by the stride into `stride` phases, so that tap j
// of neighbouring windows lies side by side: phase j % stride, j / stride pixels further on. NaN where there
// is no input. Window rows: the row-window maximum, its first tap, and the sums of the gradients that it
// wins; zeros (no sum) in front and behind, where the gather reads past the windows.
#pragma once

#include "../simd/lanes.h"
#include "job.h"

#include <cstdint>

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kRowsCache =
    5 * 1024; // floats that the rows of a block may take: most of a first-level cache

struct Layout {
    int64_t group, kernel, stride, pad, lead; // lead: most windows that a position's first window lies back
    int64_t windows;                          // floats of a row of windows
    int64_t pixels;                           // floats of a row of input
    int64_t phase;                            // floats from phase to phase of a packed row
    int64_t front;                            // zeros in front of a window row
    int64_t row;                              // floats from window row to window row
    int64_t block;                            // rows of windows worked on together
    int64_t packed_rows;
    int64_t ring; // window rows kept, a power of two
};

inline int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

inline int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

inline int64_t round_up(int64_t value, int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

// Where group number `unit` begins in a tensor.
inline int64_t first_element(const FastJob& job, const FastTensor& tensor, int64_t unit) {
    return unit / job.groups_per_image * tensor.image_step + unit % job.groups_per_image * tensor.group_step;
}

inline Layout layout_of(const FastJob& job) {
    const FastAxis &h = job.h, &w = job.w;
    Layout at{};
    at.group = job.group;
    at.kernel = w.kernel;
    at.stride = w.stride;
    at.pad = w.pad;
    at.lead = (w.kernel - 1) / w.stride;
    at.windows = w.output * job.group;
    at.pixels = w.input * job.group;
    const int64_t slots = most(w.output, (w.input - 1 + w.pad) / w.stride + 1);
    const int64_t slack = (w.stride + 1) * kLanes;
    at.phase = round_up((slots + at.lead) * job.group + slack, 16);
    at.front = round_up(at.lead * job.group, 16);
    at.row = at.front + at.phase;
    const int64_t floats_a_row = 3 * at.row + w.stride * at.phase;
    const int64_t rows = least(h.input + h.kernel, kRowsCache / floats_a_row);
    at.block = most(1, rows / h.stride);
    at.packed_rows = at.block * h.stride + h.kernel + h.stride;
    at.ring = 1;
    while (at.ring < at.packed_rows + h.kernel) {
        at.ring *= 2;
    }
    return at;
}

// The positions of a window that are not padding.
struct Positions {
    int64_t begin, end;
};

inline Positions positions_of(const FastAxis& axis, int64_t window) {
    const int64_t first = window * axis.stride - axis.pad;
    return {most(0, first), least(axis.input, first + axis.kernel)};
}

// The scratch memory, cut up.
struct Rows {
    float* packed;
    float* maxima;
    float* sums;
    int32_t* taps;
    float* small; // a row of orig_output and one of grad, where those have to be put together first
};

inline int64_t scratch_floats(const Layout& at) {
    return at.packed_rows * at.stride * at.phase + 3 * at.ring * at.row + 2 * at.phase;
}

inline Rows rows_in(float* scratch, const Layout& at) {
    Rows rows{};
    rows.packed = scratch;
    rows.maxima = rows.packed + at.packed_rows * at.stride * at.phase;
    rows.sums = rows.maxima + at.ring * at.row;
    rows.taps = reinterpret_cast<int32_t*>(rows.sums + at.ring * at.row);
    rows.small = rows.sums + 2 * at.ring * at.row;
    const Floats nan = splat(__builtin_nanf(""));
    for (float* to = rows.packed; to < rows.maxima; to += kLanes) {
        store(to, nan);
    }
    for (float* to = rows.maxima; to < rows.small + 2 * at.phase; to += kLanes) {
        store(to, Floats{});
    }
    return rows;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
