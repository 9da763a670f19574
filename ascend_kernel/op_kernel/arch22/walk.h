// Which rows and columns a core works on, in order: segments of a strip of a group, tiles of a segment, bands
// of a tile. Rows are rows of cells unless a name says otherwise.
#pragma once

#include "element.h"

namespace maxpoolgrad::arch22 {

struct Span {
    int64_t begin, end;

    __aicore__ inline int64_t size() const { return end > begin ? end - begin : 0; }
};

// A strip's columns. Cells and windows are counted from `origin`, the first cell that it needs.
struct Strip {
    int64_t origin;
    int64_t windows; // columns of windows
    Span x;          // positions that it reads
    Span out;        // positions that it writes
    int32_t x_shift; // place of the first position read, counted from the origin's first position
    int32_t out_shift;
};

struct Segment {
    int64_t group, index; // of the strip
    Span rows;            // that it writes
    int64_t from;         // the first row of windows that reach into them
    Strip strip;
};

struct Tile {
    Segment segment;
    Span rows;        // of windows, and of cells
    Span x_rows;      // positions that it reads for the first time in the segment
    Span out_rows;    // positions that it writes
    Span windows;     // rows of windows that exist, counted from the first that touches a position
    bool first, last; // of the segment
};

struct Band {
    Span rows;
    Span x_rows, out_rows, windows;
    bool first; // of the segment
    bool last;  // of the tile
};

// Positions of an axis.
__aicore__ inline int64_t clamp(int64_t position, const Axis& axis) {
    return larger(0, smaller(position, axis.input));
}
// The end of what windows up to row `end` and the cells beside them hold.
__aicore__ inline int64_t read_end(int64_t end, const Axis& axis) {
    return clamp((end - 1) * axis.stride + larger(axis.kernel, axis.stride) - axis.pad, axis);
}
__aicore__ inline int64_t first_position(int64_t cell, const Axis& axis) {
    return clamp(cell * axis.stride - axis.pad, axis);
}
__aicore__ inline Span existing(Span windows, const Axis& axis) {
    return {smaller(windows.begin, axis.windows), smaller(windows.end, axis.windows)};
}

__aicore__ inline Strip strip_of(const Tiling& plan, int64_t index) {
    const Axis& w = plan.w;
    const int64_t begin = index * plan.strip_cells;
    const int64_t end = smaller(w.cells, begin + plan.strip_cells);
    Strip strip;
    strip.origin = larger(0, begin - (w.reach - 1));
    strip.windows = larger(0, smaller(w.windows, end) - strip.origin);
    const bool whole = plan.strips == 1;
    strip.x = {first_position(strip.origin, w), whole ? w.input : read_end(end, w)};
    strip.out = {first_position(begin, w), first_position(end, w)};
    const int64_t left = w.pad - strip.origin * w.stride;
    strip.x_shift = static_cast<int32_t>(strip.x.begin + left);
    strip.out_shift = static_cast<int32_t>(strip.out.begin + left);
    return strip;
}

// Hands out the tiles of a core, segment after segment.
class Walk {
public:
    __aicore__ inline Walk(const Tiling& plan, const Stage& stage, int64_t block, int64_t blocks)
        : plan_(plan), tile_rows_(stage.tile_rows), more_rows_(stage.more_rows),
          most_rows_(stage.segment_rows) {
        const int64_t units = plan.groups * plan.strips * plan.units;
        unit_ = units * block / blocks;
        end_ = units * (block + 1) / blocks;
    }
    // The same for groups from `first` on.
    __aicore__ inline Walk(const Tiling& plan, const Stage& stage, int64_t block, int64_t blocks,
                           int64_t first)
        : Walk(plan, stage, block, blocks) {
        first_ = first;
    }
    // One segment alone.
    __aicore__ inline Walk(const Tiling& plan, const Stage& stage, const Segment& segment)
        : plan_(plan), tile_rows_(stage.tile_rows), more_rows_(stage.more_rows),
          most_rows_(stage.segment_rows), unit_(0), end_(0), left_(segment) {}

    __aicore__ inline bool next(Tile& tile) {
        if (row_ >= segment_.rows.end && !next_segment()) {
            return false;
        }
        const Axis& h = plan_.h;
        tile.segment = segment_;
        tile.rows = {row_, smaller(segment_.rows.end, row_ + tile_rows_)};
        if (h.cells - tile.rows.end <= more_rows_) {
            tile.rows.end = segment_.rows.end;
        }
        tile.first = row_ == segment_.from;
        tile.last = tile.rows.end == segment_.rows.end;
        tile.x_rows = {tile.first ? first_position(row_, h) : read_end(row_, h), read_end(tile.rows.end, h)};
        tile.out_rows = {first_position(larger(row_, segment_.rows.begin), h),
                         first_position(tile.rows.end, h)};
        tile.windows = existing(tile.rows, h);
        row_ = tile.rows.end;
        return true;
    }

    // Goes back to where another walk over the same units is.
    __aicore__ inline void resume(const Walk& other) {
        unit_ = other.unit_;
        left_ = other.left_;
        segment_ = other.segment_;
        row_ = other.row_;
    }

private:
    __aicore__ inline bool next_segment() {
        if (left_.rows.size() == 0 && !next_units()) {
            return false;
        }
        segment_ = left_;
        segment_.rows.end = smaller(segment_.rows.end, segment_.rows.begin + most_rows_);
        segment_.from = larger(0, segment_.rows.begin - (plan_.h.reach - 1));
        left_.rows.begin = segment_.rows.end;
        row_ = segment_.from;
        return true;
    }
    __aicore__ inline bool next_units() {
        if (unit_ >= end_) {
            return false;
        }
        const int64_t column = unit_ / plan_.units;
        const int64_t first = unit_ % plan_.units;
        const int64_t count = smaller(plan_.units - first, end_ - unit_);
        unit_ += count;
        left_.group = first_ + column / plan_.strips;
        left_.index = column % plan_.strips;
        left_.rows = {first * plan_.unit_rows, smaller(plan_.h.cells, (first + count) * plan_.unit_rows)};
        left_.strip = strip_of(plan_, left_.index);
        return true;
    }

    const Tiling& plan_;
    int64_t tile_rows_, more_rows_, most_rows_;
    int64_t unit_, end_;
    int64_t first_ = 0; // group
    Segment left_ = {}; // of the last units, what is to be done
    Segment segment_ = {};
    int64_t row_ = 0;
};

// The band of a tile that begins at `row`.
__aicore__ inline Band band_of(const Tiling& plan, const Tile& tile, int64_t row, int64_t band_rows) {
    const Axis& h = plan.h;
    Band band;
    band.rows = {row, smaller(tile.rows.end, row + band_rows)};
    band.first = tile.first && row == tile.rows.begin;
    band.last = band.rows.end == tile.rows.end;
    band.x_rows = {row == tile.rows.begin ? tile.x_rows.begin : read_end(row, h), read_end(band.rows.end, h)};
    band.out_rows = {first_position(larger(row, tile.segment.rows.begin), h),
                     first_position(larger(band.rows.end, tile.segment.rows.begin), h)};
    band.windows = existing(band.rows, h);
    return band;
}

} // namespace maxpoolgrad::arch22
