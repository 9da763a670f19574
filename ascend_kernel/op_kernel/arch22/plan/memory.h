// Where a stage's arrays lie in the unified buffer, and how much of it they take.
#pragma once

#include "../tiling.h"

#include <maxpoolgrad/geometry.h>

#include <algorithm>
#include <cstdint>

namespace maxpoolgrad::arch22 {

constexpr int64_t kBlock = 32;       // bytes that every array is aligned to
constexpr int64_t kRepeat = 256;     // bytes of a vector instruction's repeat
constexpr int64_t kTransposed = 512; // bytes that one repeat of TransDataTo5HD exchanges
constexpr int64_t kGroupPlanes = 16;

inline int64_t up_to(int64_t value, int64_t multiple) {
    return ceil_div(value, multiple) * multiple;
}

// Positions of a tile in memory that lie side by side in a row of x, and windows in one of y: at most.
inline int64_t most_columns(const Tiling& plan) {
    const int64_t cells = plan.strip_cells - 1 + plan.w.reach - 1;
    const int64_t columns = cells * plan.w.stride + std::max(plan.w.kernel, plan.w.stride);
    return plan.strips == 1 ? plan.w.input : std::min(plan.w.input, columns);
}
inline int64_t most_windows(const Tiling& plan) {
    return std::min(plan.w.windows, plan.strip_cells + plan.w.reach - 1);
}
// Rows of x that a tile moves: at most.
inline int64_t most_rows(const Tiling& plan, int64_t tile_rows) {
    const int64_t ahead = std::max<int64_t>(0, plan.h.kernel - plan.h.stride);
    return std::min(plan.h.input, tile_rows * plan.h.stride + ahead);
}

// Bytes of `rows` rows of `columns` pixels as transfers bring them. `whole`: the rows follow on each other in
// memory.
inline int64_t raw_bytes(const Tiling& plan, int64_t format, int64_t rows, int64_t columns, bool whole,
                         int64_t element) {
    if (format == kNhwc) {
        return rows * columns * plan.lanes * element;
    }
    const int64_t row = whole ? columns * element : up_to(columns * element, kBlock);
    return plan.lanes * up_to(rows * row, kBlock);
}

// Hands out the unified buffer piece by piece.
class Space {
public:
    int64_t take(int64_t bytes) {
        const int64_t begin = used_;
        used_ += up_to(bytes, kBlock);
        return begin;
    }
    int64_t used() const { return used_; }

private:
    int64_t used_ = 0;
};

// For taps that reach into rows of cells below their window's own: what they give to those of later bands.
inline int64_t kept_bytes(const Tiling& plan, int64_t row, int64_t guard) {
    int64_t bytes = 0;
    for (int64_t tap = plan.h.stride; tap < plan.h.kernel; ++tap) {
        bytes += plan.w.kernel * (guard + tap / plan.h.stride * row);
    }
    return bytes;
}

inline void place_slots(const Tiling& plan, int64_t format, int64_t element, Stage& stage, Space& space) {
    Space slot;
    const int64_t rows = most_rows(plan, stage.tile_rows);
    const int64_t windows = std::min(plan.h.windows, stage.tile_rows);
    const bool whole = plan.strips == 1;
    const bool whole_y = whole && plan.w.windows == plan.w.output;
    const int64_t out_rows = std::min(plan.h.input, stage.tile_rows * plan.h.stride);
    Buffers& at = stage.at;
    at.x = slot.take(raw_bytes(plan, format, std::max(rows, out_rows), most_columns(plan), whole, element) +
                     kRepeat);
    at.y = slot.take(raw_bytes(plan, format, windows, most_windows(plan), whole_y, element));
    at.grad = slot.take(raw_bytes(plan, format, windows, most_windows(plan), whole_y, element));
    at.slot = slot.used();
    space.take(stage.slots * at.slot);
}

// What both vector strategies need: cells, windows, masks, the ends of transposed pieces.
struct Sizes {
    int64_t pixel, row, slack, guard, lanes;

    Sizes(const Tiling& plan, const Stage& stage, int64_t element)
        : pixel(plan.lanes * element), row(plan.pitch * pixel), slack((plan.w.reach - 1) * pixel + kRepeat),
          guard((plan.w.reach - 1) * pixel), lanes(stage.band_rows * plan.pitch * plan.lanes) {}
};

inline void place_common(const Tiling& plan, int64_t element, const Sizes& size, Stage& stage, Space& space) {
    Buffers& at = stage.at;
    const int64_t cell_rows = stage.band_rows + plan.h.reach - 1;
    at.mask_bytes = up_to(up_to(size.lanes, kRepeat / element) / 8, kBlock);
    at.cells = space.take(plan.h.stride * plan.w.stride * cell_rows * size.row + size.slack);
    at.tail = space.take(2 * kTransposed);
    at.trash = space.take(kTransposed);
}

inline void place_taps(const Tiling& plan, int64_t element, Stage& stage, Space& space) {
    const Sizes size(plan, stage, element);
    Buffers& at = stage.at;
    place_common(plan, element, size, stage, space);
    const int64_t windows = stage.band_rows * size.row;
    const int64_t front = size.guard + (stage.carries != 0 ? 0 : plan.h.reach - 1) * size.row;
    const bool overlaps = plan.h.reach > 1 || plan.w.reach > 1;
    at.windows_grad = space.take(windows + kRepeat);
    at.masks = space.take(plan.h.kernel * plan.w.kernel * at.mask_bytes);
    at.rest = space.take(at.mask_bytes);
    at.chosen_bytes = overlaps ? front + windows + kRepeat : 0;
    at.chosen = space.take(overlaps ? 2 * at.chosen_bytes : windows + kRepeat);
    at.windows_y =
        at.chosen + (overlaps ? front : 0); // which is not needed any more when the first is chosen
    if (!overlaps) {
        return;
    }
    at.kept = space.take(stage.carries != 0 ? kept_bytes(plan, size.row, size.guard) : 0);
    at.column = space.take(plan.h.reach > 1 ? 4 * size.lanes : 0);
    at.total = space.take(element == 2 ? 4 * size.lanes : 0);
}

// The sums of a row of windows take the place of y and grad, and their summands that of the chosen.
inline void place_separable(const Tiling& plan, int64_t element, Stage& stage, Space& space) {
    const Sizes size(plan, stage, element);
    Buffers& at = stage.at;
    const int64_t cell_rows = stage.band_rows + plan.h.reach - 1;
    const int64_t wide_guard = (plan.w.reach - 1) * plan.lanes * 4;
    place_common(plan, element, size, stage, space);
    at.row_maxima = space.take(plan.h.stride * cell_rows * size.row + size.slack);
    at.row_sums = space.take(plan.h.stride * cell_rows * plan.pitch * plan.lanes * 4);
    const int64_t windows = stage.band_rows * size.row + kRepeat;
    at.total = at.windows_y = space.take(std::max(2 * windows, 4 * size.lanes + wide_guard));
    at.windows_grad = at.windows_y + up_to(windows, kBlock);
    at.chosen_bytes = cell_rows * size.row + size.slack;
    at.column = at.chosen =
        space.take(std::max(2 * up_to(at.chosen_bytes, kBlock), 4 * size.lanes + wide_guard));
    at.masks = space.take(std::max(plan.h.kernel, plan.w.kernel) * at.mask_bytes);
    at.rest = space.take(at.mask_bytes);
    const int64_t tile_mask = up_to(up_to(at.y, kRepeat) / element / 8, kBlock);
    at.bad = space.take(at.mask_bytes + kBlock);
    at.kept = space.take(2 * tile_mask); // of the tile: which of its numbers are above minus infinity
}

// Fills in stage.at; the bytes in all are stage.at.all.
inline void place(const Tiling& plan, int64_t format, int64_t element, Stage& stage) {
    Space space;
    stage.at = {};
    if (stage.strategy == kTaps || stage.strategy == kSeparable) {
        place_slots(plan, format, element, stage, space);
        stage.strategy == kTaps ? place_taps(plan, element, stage, space)
                                : place_separable(plan, element, stage, space);
    }
    stage.at.all = space.used();
}

} // namespace maxpoolgrad::arch22
