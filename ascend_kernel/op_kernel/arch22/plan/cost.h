// What a stage costs, in repeats of the vector unit and in bytes to and from global memory: estimates by
// which the plan chooses. docs/kernel.md derives them.
#pragma once

#include "memory.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace maxpoolgrad::arch22 {

inline int64_t repeats_of(int64_t lanes, int64_t bytes) {
    return ceil_div(lanes * bytes, kRepeat);
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
    const Draft& draft;
    const Stage& stage;
    const Tiling& plan = draft.plan;
    int64_t element = draft.element;
    int64_t lanes = stage.band_rows * stage.pitch * plan.lanes;
    int64_t narrow = repeats_of(lanes, element);       // repeats of an instruction over all windows
    int64_t wide = repeats_of(lanes, 4);               // the same in float32
    int64_t bits = repeats_of(ceil_div(lanes, 16), 2); // the same over masks

    // Pixels between the order of memory and that of cells: twice the bytes in, for x and out_grad and y and
    // grad.
    int64_t rearranged() const {
        const int64_t x = stage.band_rows * plan.h.stride * draft.most_columns * plan.lanes;
        const int64_t y = stage.band_rows * draft.most_window_columns * plan.lanes;
        return 2 * repeats_of(x, element) + (stage.in_place != 0 ? 0 : 2 * repeats_of(y, element));
    }
    int64_t carried_rows(int64_t rows, int64_t bytes) const {
        return stage.carries != 0 ? rows * repeats_of(stage.pitch * plan.lanes, bytes) : 0;
    }

    // Residue classes of an axis that have as many taps.
    struct Class {
        int64_t residues, taps;
    };
    static std::array<Class, 2> classes(const Axis& axis) {
        const int64_t taps = axis.kernel / axis.stride, over = axis.kernel % axis.stride;
        return {Class{over, taps + 1}, Class{axis.stride - over, taps}};
    }
    // Of all residue classes of rows: rows of cells that their taps reach down to.
    int64_t rows_below() const { return std::max<int64_t>(0, plan.h.kernel - plan.h.stride); }

    int64_t taps() const {
        const Axis &h = plan.h, &w = plan.w;
        int64_t repeats = rearranged() + h.kernel * w.kernel * (2 * narrow + 2 * bits);
        for (const Class& row : classes(h)) {
            for (const Class& column : classes(w)) {
                const int64_t taps = row.taps * column.taps;
                const int64_t in_float =
                    taps * wide + (row.taps > 1 ? (column.taps - 1) * wide : 0) + (element == 2 ? wide : 0);
                const int64_t sums = taps == 2 && element == 2 ? narrow : in_float;
                repeats += taps > 1 ? row.residues * column.residues * sums : 0;
            }
        }
        // Rows that the taps of the rows below a window's first row of cells keep, and cells that go on to
        // the next band.
        const int64_t deep = h.kernel / h.stride, over = h.kernel % h.stride;
        const int64_t kept = w.kernel * (h.stride * deep * (deep - 1) / 2 + over * deep);
        return repeats + carried_rows(kept + w.stride * rows_below(), element);
    }

    int64_t separable() const {
        const Axis &h = plan.h, &w = plan.w;
        int64_t repeats = rearranged() + h.stride * w.stride * narrow;         // which numbers count
        repeats += h.stride * maximum_steps(w) * narrow;                       // maxima of rows
        repeats += maximum_steps(h) * narrow + narrow;                         // of windows, compared
        repeats += (2 * h.kernel - 1) * narrow + h.kernel * (wide + 2 * bits); // the row that wins
        repeats +=
            h.stride * ((w.kernel - 1) * narrow + w.kernel * (wide + 2 * bits)); // the column that does
        repeats += h.stride * (w.kernel - std::min(w.kernel, w.stride)) * wide;  // sums of columns
        repeats += element == 2 ? h.stride * w.stride * wide : 0;
        return repeats + carried_rows(rows_below() * (w.stride + 1), element) + carried_rows(rows_below(), 4);
    }

    // One axis of `running`: lines of `lanes` lanes, windows that give numbers of `given` bytes.
    int64_t running(const Axis& axis, int64_t line, int64_t given) const {
        const int64_t one = repeats_of(line, element), sum = repeats_of(line, 4),
                      pick = repeats_of(line, given);
        int64_t repeats = 0;
        for (int64_t first = 0; first < axis.windows; first += axis.kernel) {
            const int64_t begin = std::max<int64_t>(0, first - axis.pad);
            const int64_t end = std::min(axis.input, first - axis.pad + axis.kernel);
            const int64_t last = std::min(axis.windows, first + axis.kernel) - 1;
            const int64_t behind = end - begin - 1, count = last - first;
            const int64_t ahead = std::min(count, std::min(axis.input, end + axis.kernel) - end);
            repeats +=
                2 * behind * one + 2 * std::max<int64_t>(0, ahead - 1) * one + 2 * count * one; // winners
            repeats += (count + 1) * sum + 2 * behind * sum + (first > 0 ? behind * sum : 0) +
                       (ahead > 0 ? count * (2 * pick + sum) + 3 * (ahead - 1) * sum : 0);
        }
        return repeats;
    }
    int64_t running() const {
        const int64_t of_columns = plan.h.input * plan.lanes, of_rows = plan.w.windows * plan.lanes;
        const int64_t x = plan.w.input * of_columns, windows = plan.h.windows * of_rows;
        return 3 * repeats_of(x, element) + 2 * repeats_of(windows, element) +
               (element == 2 ? repeats_of(x, 4) : 0) + running(plan.w, of_columns, 4) +
               running(plan.h, of_rows, element) + repeats_of(windows, element) +
               plan.w.windows * repeats_of(of_columns, element) + plan.h.input * repeats_of(of_rows, 4);
    }

    // Instructions, roughly.
    int64_t instructions() const {
        const Axis &h = plan.h, &w = plan.w;
        if (stage.strategy == kTaps) {
            const int64_t kept =
                stage.carries != 0 ? 2 * w.kernel * std::max<int64_t>(0, h.kernel - h.stride) : 0;
            return 5 * h.kernel * w.kernel + 8 * h.stride * w.stride + kept + 10;
        }
        if (stage.strategy == kSeparable) {
            return 5 * h.kernel + h.stride * 5 * w.kernel + 30;
        }
        return 12 * (h.input + w.input) + 20;
    }
    int64_t repeats() const {
        return stage.strategy == kTaps ? taps() : stage.strategy == kSeparable ? separable() : running();
    }
};

inline int64_t tiles_of(const Draft& draft, const Stage& stage) {
    return ceil_div(draft.plan.h.cells - stage.more_rows, stage.tile_rows);
}

// Of one group.
struct Traffic {
    int64_t bytes;
    int64_t bursts; // runs of bytes that follow on each other in memory
};

inline Traffic traffic_of(const Draft& draft, const Stage& stage) {
    const Tiling& plan = draft.plan;
    const int64_t tiles = tiles_of(draft, stage);
    const int64_t rows = plan.h.input, window_rows = plan.h.windows;
    const int64_t pixels =
        (draft.all_columns + plan.w.input) * rows + 2 * draft.all_window_columns * window_rows;
    const bool planes = draft.format == kNchw, all_channels = plan.depth == plan.channels;
    // Rows that follow on each other are one burst a tile and plane; those of whole planes, one for all of
    // them.
    const auto bursts = [&](int64_t lines, int64_t columns, bool whole) {
        if (planes) {
            return !whole ? plan.depth * lines * plan.strips : tiles == 1 ? 1 : plan.depth * tiles;
        }
        return !all_channels ? lines * columns : whole ? tiles : lines * plan.strips;
    };
    const bool whole = plan.strips == 1, whole_windows = whole && plan.w.windows == plan.w.output;
    return {plan.depth * draft.element * pixels,
            bursts(rows, draft.all_columns, whole) + bursts(rows, plan.w.input, whole) +
                2 * bursts(window_rows, draft.all_window_columns, whole_windows)};
}

} // namespace maxpoolgrad::arch22
