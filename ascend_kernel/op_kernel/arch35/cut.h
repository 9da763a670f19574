// How out_grad is cut into boxes, by an estimate of the bytes that each way moves.
#pragma once

#include "tiling.h"

#include <maxpoolgrad/geometry.h>

#include <algorithm>
#include <cstdint>

namespace maxpoolgrad::arch35 {

constexpr int64_t kLineBytes = 128;                 // of the data cache, and of every request to memory
constexpr int64_t kCacheBytes = 128 * 1024;         // of one core
constexpr int64_t kRowsBytes = kCacheBytes * 3 / 4; // what rows may take of it: more lines are on their way

struct Cut { // see Tiling
    int64_t columns;
    int64_t depth;
    int64_t unit;
    bool paired;
    double cost; // estimate of the bytes moved a byte of out_grad, more where a block gets more than others
};

// For one pooling on so many blocks.
class Cutter {
public:
    Cutter(const Tiling& tiling, int64_t element_bytes, int64_t blocks)
        : h_(tiling.h), w_(tiling.w), inner_(tiling.inner), bytes_(element_bytes),
          elements_(tiling.outer * tiling.h.input * tiling.w.input * tiling.inner), blocks_(blocks) {}

    // The whole, in memory order, unless that costs clearly more.
    Cut best() const {
        Cut best = cut(w_.input, inner_);
        best.cost *= 0.95;
        for (int64_t depth = inner_; depth > 0; depth = next_depth(depth)) {
            for (int64_t columns = w_.input; columns > 0; columns = next_columns(columns)) {
                const Cut other = cut(columns, depth);
                best = other.cost < best.cost ? other : best;
            }
        }
        return best;
    }

private:
    bool is_whole(int64_t columns, int64_t depth) const { return columns == w_.input && depth == inner_; }

    // The next smaller size to try, of whole lines; 0 after the last one.
    int64_t next_depth(int64_t depth) const {
        const int64_t line = kLineBytes / bytes_;
        return depth > line ? ceil_div(ceil_div(depth, 2), line) * line : 0;
    }
    // Of whole pairs, and of whole windows where they do not overlap.
    int64_t next_columns(int64_t columns) const {
        const int64_t step = 2 * w_.stride;
        return columns * 3 / 4 / step * step;
    }

    bool pairs(int64_t columns, int64_t depth) const {
        if (bytes_ >= kStoreBytes) {
            return false;
        }
        const bool even_runs = depth < inner_ ? depth % 2 == 0 && inner_ % 2 == 0
                                              : columns * inner_ % 2 == 0 && w_.input * inner_ % 2 == 0;
        return is_whole(columns, depth) || even_runs;
    }

    static double overlap(const Axis& axis) { return static_cast<double>(axis.kernel - 1); }

    // The largest positions of a block.
    int64_t most(int64_t unit) const { return ceil_div(ceil_div(elements_, unit), blocks_) * unit; }

    // What blocks are made of, and how many rows above its own a block reads, which other blocks read, too.
    struct Unit {
        int64_t positions;
        double rows_above;
    };
    // Whole maps of a box where blocks stay about equal, else whole rows of windows, else lines of memory: no
    // line is written by two blocks.
    Unit unit(int64_t columns, int64_t depth) const {
        const int64_t line = kLineBytes / bytes_;
        const int64_t row = columns * depth;
        const auto fits = [&](int64_t positions) { // the busiest block then has a tenth more than the mean
            return positions % line == 0 &&
                   static_cast<double>(most(positions)) * static_cast<double>(blocks_) <=
                       1.1 * static_cast<double>(elements_);
        };
        if (fits(row * h_.input)) {
            return {row * h_.input, 0};
        }
        if (h_.kernel <= h_.stride && fits(row * h_.stride)) {
            return {row * h_.stride, 0};
        }
        return {line, overlap(h_)};
    }

    // Bytes of the three inputs that the windows over one turn of a block's threads reach.
    double rows_bytes(int64_t columns, int64_t depth) const {
        const double turn = static_cast<double>(kNarrowThreads * kStoreBytes / bytes_);
        const double rows = turn / static_cast<double>(columns * depth) + static_cast<double>(h_.kernel);
        const double wide = static_cast<double>(std::min(columns + w_.kernel - 1, w_.input));
        const double inputs = std::min(rows, static_cast<double>(h_.input)) * wide;
        const double outputs =
            std::min(rows / static_cast<double>(h_.stride) + 1, static_cast<double>(h_.output)) *
            std::min(wide / static_cast<double>(w_.stride) + 1, static_cast<double>(w_.output));
        return (inputs + 2 * outputs) * static_cast<double>(depth * bytes_);
    }

    Cut cut(int64_t columns, int64_t depth) const {
        const Unit unit = this->unit(columns, depth);
        const double positions = static_cast<double>(elements_) / static_cast<double>(blocks_);
        const double above = unit.rows_above * static_cast<double>(columns * depth) / positions;
        const bool between_windows = w_.kernel <= w_.stride;
        const double beside =
            columns == w_.input || between_windows ? 0 : overlap(w_) / static_cast<double>(columns);
        // Rows that the cache does not hold come again for each row of the windows.
        const double again =
            rows_bytes(columns, depth) <= kRowsBytes ? 1 : static_cast<double>(std::min(h_.kernel, h_.input));
        const double ratio = static_cast<double>(h_.output) / static_cast<double>(h_.input) *
                             static_cast<double>(w_.output) / static_cast<double>(w_.input);
        const double inputs = again * (1 + above) * (1 + 2 * beside);
        const double outputs = again * (1 + above) * (1 + beside) * 2 * ratio;
        // Runs of memory that do not begin and end with a line share lines with their neighbours.
        const int64_t run = (depth < inner_ ? depth : columns * inner_) * bytes_;
        const int64_t apart = (depth < inner_ ? inner_ : w_.input * inner_) * bytes_;
        const bool shared = !is_whole(columns, depth) && (run % kLineBytes != 0 || apart % kLineBytes != 0);
        const double lines = shared ? 1 + static_cast<double>(kLineBytes) / static_cast<double>(run) : 1;
        const bool paired = pairs(columns, depth);
        const double requests = bytes_ < kStoreBytes && !paired ? 2 : 1; // half a line each
        const double uneven = std::max(static_cast<double>(most(unit.positions)) / positions, 1.0);
        return {columns, depth, unit.positions, paired, uneven * lines * (inputs + outputs + requests)};
    }

    const Axis& h_;
    const Axis& w_;
    int64_t inner_;
    int64_t bytes_;
    int64_t elements_;
    int64_t blocks_;
};

} // namespace maxpoolgrad::arch35
