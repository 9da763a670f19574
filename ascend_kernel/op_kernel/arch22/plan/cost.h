// What a stage costs, in repeats of the vector unit and in bytes to and from global memory: estimates by
// which the plan chooses. docs/kernel.md derives them.
#pragma once

#include "memory.h"

#include <algorithm>
#include <cstdint>

namespace maxpoolgrad::arch22 {

inline int64_t repeats_of(int64_t lanes, int64_t bytes) {
    return ceil_div(lanes * bytes, kRepeat);
}

// Taps i, i + stride, ... of an axis: those that reach the positions of one residue.
inline int64_t taps_of(const Axis& axis, int64_t residue) {
    return axis.kernel > residue ? (axis.kernel - 1 - residue) / axis.stride + 1 : 0;
}

// Maxima of `taps` neighbours by doubling; one after the other where windows are not side by side.
inline int64_t maximum_steps(const Axis& axis) {
    if (axis.stride > 1) {
        return axis.kernel - 1;
    }
    int64_t steps = 0, width = 1;
    for (; 2 * width <= axis.kernel; width *= 2) {
        ++steps;
    }
    return steps + (width < axis.kernel ? 1 : 0);
}

struct BandCost {
    const Tiling& plan;
    const Stage& stage;
    int64_t element;
    int64_t lanes = stage.band_rows * plan.pitch * plan.lanes;
    int64_t narrow = repeats_of(lanes, element);       // repeats of an instruction over all windows
    int64_t wide = repeats_of(lanes, 4);               // the same in float32
    int64_t bits = repeats_of(ceil_div(lanes, 16), 2); // the same over masks

    // Pixels between the order of memory and that of cells: twice the bytes in, for x and out_grad and y and
    // grad.
    int64_t rearranged() const {
        const int64_t x = stage.band_rows * plan.h.stride * most_columns(plan) * plan.lanes;
        const int64_t y = stage.band_rows * most_windows(plan) * plan.lanes;
        return 2 * repeats_of(x, element) + 2 * repeats_of(y, element);
    }
    int64_t carried_rows(int64_t rows, int64_t bytes) const {
        return stage.carries != 0 ? rows * repeats_of(plan.pitch * plan.lanes, bytes) : 0;
    }

    // Of all residue classes of rows: rows of cells that their taps reach down to.
    int64_t rows_below() const {
        int64_t rows = 0;
        for (int64_t i = 0; i < std::min(plan.h.stride, plan.h.kernel); ++i) {
            rows += taps_of(plan.h, i) - 1;
        }
        return rows;
    }

    int64_t taps() const {
        const Axis &h = plan.h, &w = plan.w;
        int64_t repeats = rearranged() + h.kernel * w.kernel * (2 * narrow + 2 * bits);
        for (int64_t i = 0; i < h.stride; ++i) {
            for (int64_t j = 0; j < w.stride; ++j) {
                const int64_t rows = taps_of(h, i), columns = taps_of(w, j);
                if (rows * columns > 1) {
                    repeats += rows * columns * wide + (rows > 1 ? (columns - 1) * wide : 0) +
                               (element == 2 ? wide : 0);
                }
            }
        }
        int64_t kept = 0;
        for (int64_t i = h.stride; i < h.kernel; ++i) {
            kept += w.kernel * (i / h.stride);
        }
        return repeats + carried_rows(kept + w.stride * rows_below(), element);
    }

    int64_t separable() const {
        const Axis &h = plan.h, &w = plan.w;
        int64_t repeats = rearranged() + h.stride * w.stride * narrow; // which numbers count
        repeats += h.stride * maximum_steps(w) * narrow;               // maxima of rows
        repeats += maximum_steps(h) * narrow + narrow;                 // of windows, compared
        repeats += h.kernel * (2 * narrow + wide + 2 * bits);          // the row that wins
        repeats +=
            h.stride * ((w.kernel - 1) * narrow + w.kernel * (wide + 2 * bits)); // the column that does
        repeats += h.stride * (w.kernel - std::min(w.kernel, w.stride)) * wide;  // sums of columns
        repeats += element == 2 ? h.stride * w.stride * wide : 0;
        return repeats + carried_rows(rows_below() * (w.stride + 1), element) + carried_rows(rows_below(), 4);
    }

    int64_t repeats() const { return stage.strategy == kTaps ? taps() : separable(); }
};

// Of one strip of one group.
struct Traffic {
    int64_t bytes;
    int64_t bursts; // runs of bytes that follow on each other in memory
};

inline Traffic traffic_of(const Tiling& plan, int64_t format, int64_t element, const Stage& stage) {
    const int64_t tiles = ceil_div(plan.h.cells, stage.tile_rows);
    const int64_t deep = format == kNhwc ? plan.depth : kGroupPlanes;
    const int64_t columns = most_columns(plan), windows = most_windows(plan);
    const int64_t out_columns = std::min(plan.w.input, plan.strip_cells * plan.w.stride);
    const int64_t rows = plan.h.input, window_rows = plan.h.windows;
    const int64_t cells = columns * rows + 2 * windows * window_rows + out_columns * rows;
    Traffic traffic{deep * element * cells, 0};
    const bool lines = plan.strips == 1 && (format == kNchw || plan.depth == plan.channels);
    const bool window_lines = lines && plan.w.windows == plan.w.output;
    const int64_t planes = format == kNchw ? kGroupPlanes : 1;
    const int64_t pixels = format == kNhwc && plan.depth != plan.channels ? columns : 1;
    const int64_t of_x = !lines ? planes * rows * pixels : tiles == 1 ? 1 : planes * tiles;
    const int64_t of_y = !window_lines ? planes * window_rows * pixels : tiles == 1 ? 1 : planes * tiles;
    traffic.bursts = 2 * of_x + 2 * of_y;
    return traffic;
}

} // namespace maxpoolgrad::arch22
