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

// A tiling in the making, and what its strips come to.
struct Draft {
    Tiling plan;
    int64_t format;
    int64_t element; // bytes
    int64_t cores;
    int64_t most_columns = 0; // of positions that a strip reads
    int64_t most_window_columns = 0;
    int64_t all_columns = 0; // the same of all strips together
    int64_t all_window_columns = 0;
    int64_t pitch = 0; // pixels from row to row of cells, with padding
};

// Rows of x that a tile moves: at most.
inline int64_t most_rows(const Tiling& plan, int64_t tile_rows) {
    const int64_t ahead = std::max<int64_t>(0, plan.h.kernel - plan.h.stride);
    return std::min(plan.h.input, tile_rows * plan.h.stride + ahead);
}

// The last row of cells, where it has no window and nothing of x that the row above does not read: 1, if a
// tile has room for what it writes.
inline int64_t rows_to_join(const Tiling& plan, int64_t tile_rows) {
    const Axis& h = plan.h;
    const int64_t above = h.cells - 1;
    const bool idle =
        h.windows <= above && (above - 1) * h.stride + std::max(h.kernel, h.stride) - h.pad >= h.input;
    const int64_t out_rows = h.input - std::max<int64_t>(0, (above - tile_rows) * h.stride - h.pad);
    return idle && above > 0 && out_rows <= most_rows(plan, tile_rows) ? 1 : 0;
}

// Bytes of `rows` rows of `columns` pixels as transfers bring them. `whole`: the rows follow on each other in
// memory.
inline int64_t raw_bytes(const Draft& draft, int64_t rows, int64_t columns, bool whole) {
    if (draft.format == kNhwc) {
        return rows * columns * draft.plan.lanes * draft.element;
    }
    const int64_t row = whole ? columns * draft.element : up_to(columns * draft.element, kBlock);
    return draft.plan.lanes * up_to(rows * row, kBlock);
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

inline void place_slots(const Draft& draft, Stage& stage, Space& space) {
    const Tiling& plan = draft.plan;
    Space slot;
    const int64_t rows = most_rows(plan, stage.tile_rows);
    const int64_t out_rows = std::min(plan.h.input, stage.tile_rows * plan.h.stride);
    const int64_t window_rows = std::min(plan.h.windows, stage.tile_rows);
    const bool whole = plan.strips == 1;
    const int64_t windows =
        raw_bytes(draft, window_rows, draft.most_window_columns, whole && plan.w.windows == plan.w.output);
    Buffers& at = stage.at;
    at.x = slot.take(raw_bytes(draft, std::max(rows, out_rows), draft.most_columns, whole) + kRepeat);
    at.y = slot.take(windows);
    at.grad = slot.take(windows);
    at.slot = slot.used();
    space.take(stage.slots * at.slot);
}

// What both vector strategies need: cells, windows, masks, the ends of transposed pieces.
struct Sizes {
    int64_t pixel, row, slack, guard, lanes;

    Sizes(const Draft& draft, const Stage& stage)
        : pixel(draft.plan.lanes * draft.element), row(stage.pitch * pixel),
          slack((draft.plan.w.reach - 1) * pixel + kRepeat), guard((draft.plan.w.reach - 1) * pixel),
          lanes(stage.band_rows * stage.pitch * draft.plan.lanes) {}
};

inline void place_common(const Draft& draft, const Sizes& size, Stage& stage, Space& space) {
    const Tiling& plan = draft.plan;
    Buffers& at = stage.at;
    const int64_t cell_rows = stage.band_rows + plan.h.reach - 1;
    at.mask_bytes = up_to(up_to(size.lanes, kRepeat / draft.element) / 8, kBlock);
    at.cells = space.take(plan.h.stride * plan.w.stride * cell_rows * size.row + size.slack);
    at.tail = space.take(2 * kTransposed);
    at.trash = space.take(kTransposed);
}

inline void place_taps(const Draft& draft, Stage& stage, Space& space) {
    const Tiling& plan = draft.plan;
    const Sizes size(draft, stage);
    Buffers& at = stage.at;
    place_common(draft, size, stage, space);
    const int64_t windows = stage.band_rows * size.row;
    const int64_t front = size.guard + (stage.carries != 0 ? 0 : plan.h.reach - 1) * size.row;
    const bool overlaps = plan.h.reach > 1 || plan.w.reach > 1;
    at.windows_grad = space.take(windows + kRepeat);
    at.winners = space.take(stage.indexed != 0 ? windows + kRepeat : 0);
    at.masks = space.take((stage.indexed != 0 ? 2 : plan.h.kernel * plan.w.kernel) * at.mask_bytes);
    at.rest = space.take(at.mask_bytes);
    at.chosen_bytes = overlaps ? front + windows + kRepeat : 0;
    at.chosen = space.take(overlaps ? 2 * at.chosen_bytes : windows + kRepeat);
    at.windows_y =
        at.chosen + (overlaps ? front : 0); // which is not needed any more when the first is chosen
    if (!overlaps) {
        return;
    }
    at.kept = space.take(stage.carries != 0 ? kept_bytes(plan, size.row, size.guard) : 0);
    // The last class of rows may have no tap in the row of cells below. Then its cells are not needed any
    // more when the others are added up, and their columns' sums can lie there.
    const int64_t last_class = plan.w.stride * (stage.band_rows + plan.h.reach - 1) * size.row;
    const bool free = plan.h.kernel < 2 * plan.h.stride && last_class >= 4 * size.lanes;
    at.column = free ? at.cells + (plan.h.stride - 1) * last_class
                     : space.take(plan.h.reach > 1 ? 4 * size.lanes : 0);
    at.total = space.take(draft.element == 2 ? 4 * size.lanes : 0);
}

// The sums of a row of windows take the place of y and grad, and their summands that of the chosen.
inline void place_separable(const Draft& draft, Stage& stage, Space& space) {
    const Tiling& plan = draft.plan;
    const Sizes size(draft, stage);
    Buffers& at = stage.at;
    const int64_t cell_rows = stage.band_rows + plan.h.reach - 1;
    const int64_t wide_guard = (plan.w.reach - 1) * plan.lanes * 4;
    place_common(draft, size, stage, space);
    at.row_maxima = space.take(plan.h.stride * cell_rows * size.row + size.slack);
    at.row_sums = space.take(plan.h.stride * cell_rows * stage.pitch * plan.lanes * 4);
    const int64_t windows = stage.band_rows * size.row + kRepeat;
    at.total = at.windows_y = space.take(std::max(2 * windows, 4 * size.lanes + wide_guard));
    at.windows_grad = at.windows_y + up_to(windows, kBlock);
    // Maxima of more than three neighbours go through these arrays, too.
    const bool doubles =
        (plan.h.kernel > 3 && plan.h.stride == 1) || (plan.w.kernel > 3 && plan.w.stride == 1);
    at.chosen_bytes = up_to((doubles ? cell_rows : stage.band_rows) * size.row + size.slack, kBlock);
    at.column = at.chosen =
        space.take(std::max((doubles ? 2 : 1) * at.chosen_bytes, 4 * size.lanes + wide_guard));
    at.kept = doubles ? at.chosen + at.chosen_bytes : at.windows_y; // the second of the chosen
    at.masks = space.take(std::max(plan.h.kernel, plan.w.kernel) * at.mask_bytes);
    at.rest = space.take(at.mask_bytes);
    at.good = space.take(at.mask_bytes + kBlock);
    at.exists = space.take(stage.lead > 0 ? plan.w.kernel * at.mask_bytes : 0);
}

// Three arrays whose contents change from step to step: x and maxima, then sums by rows, then out_grad;
// maxima of rows, then what rows give to columns; y and grad, then sums by columns.
inline void place_running(const Draft& draft, Stage& stage, Space& space) {
    const Tiling& plan = draft.plan;
    const int64_t element = draft.element;
    const int64_t of_columns = plan.h.input * plan.lanes,
                  of_rows = plan.w.windows * plan.lanes; // lanes of a line
    const int64_t x = plan.w.input * of_columns, windows = plan.h.windows * of_rows,
                  rows = plan.h.input * of_rows;
    const auto mask = [&](int64_t lanes) { return up_to(up_to(lanes, kRepeat / element) / 8, kBlock); };
    Buffers& at = stage.at;
    at.cells = space.take(std::max({2 * x * element, 4 * rows, windows * element}) + kRepeat);
    at.row_maxima = space.take(std::max(2 * rows * element, 4 * plan.w.windows * of_columns) + kRepeat);
    const int64_t given = up_to(windows * element + kRepeat, kBlock);
    at.windows_y = space.take(std::max(2 * given, 4 * x + kRepeat));
    at.windows_grad = at.windows_y + given;
    at.mask_bytes = mask(of_columns);
    at.masks = space.take((2 * plan.w.input + plan.w.windows) * at.mask_bytes);
    at.second_mask_bytes = mask(of_rows);
    at.second_masks = space.take((2 * plan.h.input + plan.h.windows) * at.second_mask_bytes);
    at.good = space.take(kBlock + 2 * mask(windows));
    const int64_t line = 4 * std::max(of_columns, of_rows) + kRepeat;
    const bool blocks = plan.h.windows > plan.h.kernel || plan.w.windows > plan.w.kernel;
    at.tail = space.take(2 * kTransposed);
    at.chosen = space.take(2 * line);
    at.column = space.take(line);
    at.total = space.take(line);
    at.kept = space.take(blocks ? std::max(plan.h.kernel, plan.w.kernel) * line : 0);
    at.trash = space.take(kTransposed);
}

// Fills in stage.at; the bytes in all are stage.at.all.
inline void place(const Draft& draft, Stage& stage) {
    Space space;
    stage.at = {};
    if (stage.strategy >= kTaps) {
        place_slots(draft, stage, space);
    }
    switch (stage.strategy) {
    case kTaps: place_taps(draft, stage, space); break;
    case kSeparable: place_separable(draft, stage, space); break;
    case kRunning: place_running(draft, stage, space); break;
    default: break;
    }
    stage.at.all = space.used();
}

} // namespace maxpoolgrad::arch22
