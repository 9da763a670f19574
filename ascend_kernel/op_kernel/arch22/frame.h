// The cells of a band, on which taps and separable maxima work.
#pragma once

#include "grid.h"

namespace maxpoolgrad::arch22 {

// Elements of an array.
struct Piece {
    int32_t begin, count;
};

// The cells of a band: a grid a residue class of rows and columns, `rows` rows of `pitch` pixels each.
template <class T>
class Frame {
public:
    using Bits = typename Element<T>::Bits;

    __aicore__ inline Frame(const Tiling& plan, const Stage& stage, Memory& memory)
        : plan(plan), stage(stage), memory(memory), lanes(static_cast<int32_t>(plan.lanes)),
          pitch(static_cast<int32_t>(stage.pitch)), row(pitch * lanes),
          lead(static_cast<int32_t>(stage.lead) * lanes),
          rows(static_cast<int32_t>(stage.band_rows + plan.h.reach - 1)),
          above(static_cast<int32_t>(plan.h.reach - 1)), grid(rows * row),
          grids(static_cast<int32_t>(plan.h.stride * plan.w.stride)) {
        slack_ = (static_cast<int32_t>(plan.w.reach) - 1) * lanes * kBytes + kRepeatBytes;
        cells_ = memory.at<T>(stage.at.cells, int64_t{grids} * grid * kBytes + slack_);
    }

    __aicore__ inline int32_t number(int32_t i, int32_t j) const {
        return i * static_cast<int32_t>(plan.w.stride) + j;
    }
    // From the first cell of a grid on.
    __aicore__ inline Local<T> cells(int32_t i, int32_t j) const { return cells_[number(i, j) * grid]; }
    __aicore__ inline Local<T> all_cells() const { return cells_; }

    // For rows of x or out_grad of which the first one is `first`, and columns whose first place is
    // `column_shift`.
    __aicore__ inline Grid<T> positions(const Band& band, int64_t first, int32_t column_shift) const {
        return {cells_,
                static_cast<int32_t>(first + plan.h.pad - band.rows.begin * plan.h.stride),
                column_shift,
                static_cast<int32_t>(plan.h.stride),
                static_cast<int32_t>(plan.w.stride),
                grid * static_cast<int32_t>(plan.w.stride),
                grid,
                row,
                lanes};
    }
    // For rows of windows in `at`, of which the tile's first one is `first`.
    __aicore__ inline Grid<T> windows(const Band& band, int64_t first, const Local<T>& at) const {
        return plain_grid<T>(at, static_cast<int32_t>(first - band.rows.begin), row, lanes);
    }

    // The whole grid, and what instructions that fill their repeats read behind it.
    __aicore__ inline void clear_cells(Bits bits) { fill<T>(cells_, bits, grids * grid + slack_ / kBytes); }

    // Fills the cells of a band that hold no position, and those behind it that its last row's windows reach
    // into: padding in front of a row may be behind the one above, too. Those that it takes over from the
    // band above have been filled there.
    __aicore__ inline void pad(const Strip& strip, const Band& band, Bits bits) {
        for (int32_t i = 0; i < plan.h.stride; ++i) {
            const int32_t begin = band.first ? 0 : below(i);
            const int32_t end = static_cast<int32_t>(band.rows.size()) + below(i);
            const int32_t top = local_cell(plan.h, i, band.rows.begin, 0, begin, end);
            const int32_t bottom = local_cell(plan.h, i, band.rows.begin, plan.h.input, begin, end);
            for (int32_t j = 0; j < plan.w.stride; ++j) {
                const Local<T> at = cells(i, j)[lead];
                fill<T>(at[begin * row], bits, (top - begin) * row);
                fill<T>(at[bottom * row], bits, (end - bottom) * row);
                if (lead > 0) {
                    continue;
                }
                const int32_t left = local_cell(plan.w, j, strip.origin, 0, 0, pitch);
                const int32_t right = local_cell(plan.w, j, strip.origin, plan.w.input, 0, pitch);
                fill_columns(at, top, bottom, 0, left, bits);
                fill_columns(at, top, bottom, right, pitch, bits);
                if (end < rows || number(i, j) + 1 == grids) { // else the next grid's front
                    fill<T>(at[end * row], bits, (static_cast<int32_t>(plan.w.reach) - 1) * lanes);
                }
            }
        }
    }

    // Columns [from, to) of rows [begin, end) of a grid.
    __aicore__ inline void fill_columns(const Local<T>& at, int32_t begin, int32_t end, int32_t from,
                                        int32_t to, Bits bits) const {
        if (from >= to || begin >= end) {
            return;
        }
        constexpr int32_t kLanes = kBlockBytes / kBytes;
        const int32_t blocks = lanes / kLanes;
        const int32_t by_row = (end - begin) * quotient_up((to - from) * blocks, 8);
        const int32_t by_column = (to - from) * blocks * quotient_up(end - begin, 8);
        if (by_row <= by_column) {
            for (int32_t r = begin; r < end; ++r) {
                fill<T>(at[r * row + from * lanes], bits, (to - from) * lanes);
            }
            return;
        }
        for (int32_t block = from * blocks; block < to * blocks; ++block) {
            for (int32_t r = begin; r < end; r += 8) {
                const int32_t count = end - r < 8 ? end - r : 8;
                AscendC::Duplicate<Bits>(at[r * row + block * kLanes].template ReinterpretCast<Bits>(), bits,
                                         static_cast<uint64_t>(count * kLanes), 1,
                                         static_cast<uint16_t>(pitch * blocks), 0);
            }
        }
    }

    // The elements of a residue class of rows that hold positions of the segment.
    __aicore__ inline Piece wanted(const Segment& segment, const Band& band, int32_t i) const {
        const int32_t all = static_cast<int32_t>(band.rows.size());
        const int32_t own = static_cast<int32_t>(larger(0, segment.rows.begin - band.rows.begin));
        const int32_t begin = local_cell(plan.h, i, band.rows.begin, 0, least(own, all), all);
        const int32_t end = local_cell(plan.h, i, band.rows.begin, plan.h.input, begin, all);
        return {begin * row, (end - begin) * row};
    }

    // Hands what the next band needs of the cells on to it.
    __aicore__ inline void carry_cells(const Band& band) {
        for (int32_t i = 0; i < plan.h.stride; ++i) {
            for (int32_t j = 0; j < plan.w.stride; ++j) {
                move_up(cells(i, j)[lead], below(i), static_cast<int32_t>(band.rows.size()), row);
            }
        }
    }
    // Rows of cells that the taps of a residue class of rows reach down to.
    __aicore__ inline int32_t below(int32_t i) const {
        return plan.h.kernel > i ? static_cast<int32_t>((plan.h.kernel - 1 - i) / plan.h.stride) : 0;
    }

    const Tiling& plan;
    const Stage& stage;
    Memory& memory;
    const int32_t lanes, pitch, row; // row: elements from row to row
    const int32_t lead;              // elements of a row that are the end of the row above
    const int32_t rows;              // of a grid
    const int32_t above;             // of them taken over from the band above, or read ahead for the next one
    const int32_t grid, grids;       // elements of a grid; how many there are

    static constexpr int32_t kBytes = Element<T>::kBytes;

private:
    // The first cell of residue class i, counted from cell `origin`, whose position is `position` or beyond,
    // in [low, high].
    __aicore__ inline int32_t local_cell(const Axis& axis, int32_t residue, int64_t origin, int64_t position,
                                         int32_t low, int32_t high) const {
        const int64_t place = position + axis.pad - residue;
        const int64_t cell = place <= 0 ? 0 : (place + axis.stride - 1) / axis.stride;
        return static_cast<int32_t>(larger(low, smaller(cell - origin, high)));
    }

    Local<T> cells_;
    int32_t slack_;
};

// A band's part of what the tile has brought, to the cells.
template <class T, class Layout>
__aicore__ inline void bring_positions(Layout& layout, const Frame<T>& frame, const Tile& tile,
                                       const Band& band, int32_t slot) {
    const int64_t x = tile.x_rows.begin;
    layout.bring(Source::kX, tile, slot, band.x_rows.begin - x, band.x_rows.end - x,
                 frame.positions(band, x, tile.segment.strip.x_shift));
}
// The same to the windows' arrays.
template <class T, class Layout>
__aicore__ inline void bring_windows(Layout& layout, const Frame<T>& frame, const Tile& tile,
                                     const Band& band, int32_t slot, const Local<T>& y,
                                     const Local<T>& grad) {
    const int64_t windows = tile.windows.begin;
    const int64_t begin = band.windows.begin - windows, end = band.windows.end - windows;
    layout.bring(Source::kY, tile, slot, begin, end, frame.windows(band, windows, y));
    layout.bring(Source::kGrad, tile, slot, begin, end, frame.windows(band, windows, grad));
}

// The gradients that a band has put in place of its cells.
template <class T, class Layout>
__aicore__ inline void deliver_band(Layout& layout, const Frame<T>& frame, const Tile& tile, const Band& band,
                                    int32_t slot) {
    const int64_t out = tile.out_rows.begin;
    layout.deliver(tile, slot, band.out_rows.begin - out, band.out_rows.end - out, band.last,
                   frame.positions(band, out, tile.segment.strip.out_shift));
}

} // namespace maxpoolgrad::arch22
