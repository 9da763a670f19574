// The plan for the 950 (arch 3510), made on the host: positions of 32 or 64 bits, boxes, blocks.
//
// The kernel's threads read the inputs through the data cache of their core, 128 B a line, 128 KiB in all. In
// memory order that is enough where a core's cache holds the rows of the three inputs that the windows over
// one row of out_grad reach. Where it is not, out_grad is cut into boxes of fewer columns or fewer channels,
// whose rows are short enough.
#pragma once

#include "tiling.h"

#include <maxpoolgrad/geometry.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace maxpoolgrad::arch35 {

struct Plan {
    Tiling tiling;
    uint64_t tiling_key;
    uint32_t block_dim;
};

constexpr int64_t kLineBytes = 128;
constexpr int64_t kCacheBytes = 128 * 1024;
constexpr int64_t kRowsBytes =
    kCacheBytes * 3 / 4;             // what rows may take of it: lines come in from elsewhere, too
constexpr int64_t kShareBytes = 512; // no two blocks write one such piece of memory

inline Axis kernel_axis(const maxpoolgrad::Axis& axis) {
    int64_t shift = 0;
    while ((int64_t{1} << shift) < axis.stride) {
        ++shift;
    }
    const int64_t magic = ceil_div(int64_t{1} << (31 + shift), axis.stride);
    return {axis.input, axis.output, axis.kernel, axis.stride, axis.pad, magic, shift};
}

// How out_grad is cut, and what that costs.
struct Cut {
    int64_t columns;
    int64_t depth;
    bool paired;
    double traffic; // bytes to and from global memory a byte of out_grad; infinite where rows do not fit
};

// Estimates for one pooling and element size.
class Cutter {
public:
    Cutter(const Pooling& pooling, int64_t outer, int64_t inner, int64_t element_bytes)
        : h_(pooling.h), w_(pooling.w), outer_(outer), inner_(inner), bytes_(element_bytes) {}

    Cut best() const {
        const Cut whole = cut(w_.input, inner_);
        if (rows_bytes(w_.input, inner_) <= kRowsBytes) {
            return whole;
        }
        Cut best = whole;
        best.traffic = std::numeric_limits<double>::infinity();
        for (int64_t depth = inner_; depth > 0; depth = next_depth(depth)) {
            for (int64_t columns = w_.input; columns > 0; columns = next_columns(columns)) {
                const Cut other = cut(columns, depth);
                if (rows_bytes(columns, depth) <= kRowsBytes && other.traffic < best.traffic) {
                    best = other;
                }
            }
        }
        return best; // the whole where nothing fits
    }

private:
    bool is_whole(int64_t columns, int64_t depth) const { return columns == w_.input && depth == inner_; }

    // The next smaller size to try; 0 after the last one.
    int64_t next_depth(int64_t depth) const {
        const int64_t line = kLineBytes / bytes_;
        return depth > line ? ceil_div(ceil_div(depth, 2), line) * line : 0;
    }
    int64_t next_columns(int64_t columns) const {
        const int64_t next = columns * 3 / 4 / 2 * 2;
        return next > w_.kernel ? next : 0;
    }

    // Positions 2 n and 2 n + 1 of each box lie beside each other, the first on an even place.
    bool pairs(int64_t columns, int64_t depth) const {
        if (bytes_ >= kStoreBytes) {
            return false;
        }
        const bool even_runs = depth < inner_ ? depth % 2 == 0 && inner_ % 2 == 0
                                              : columns * inner_ % 2 == 0 && w_.input * inner_ % 2 == 0;
        return is_whole(columns, depth) || even_runs;
    }

    // Of the three inputs, what windows over one turn of a block's threads reach.
    double rows_bytes(int64_t columns, int64_t depth) const {
        const double turn = static_cast<double>(kNarrowThreads) * kStoreBytes / static_cast<double>(bytes_);
        const double run = static_cast<double>(columns) * static_cast<double>(depth);
        const double rows = turn / run + static_cast<double>(h_.kernel);
        const double input_rows = std::min(rows, static_cast<double>(h_.input));
        const double output_rows =
            std::min(rows / static_cast<double>(h_.stride) + 1, static_cast<double>(h_.output));
        const double input_columns = std::min(columns + w_.kernel - 1, w_.input);
        const double output_columns = std::min((columns + w_.kernel - 1) / w_.stride + 1, w_.output);
        const double inputs = input_rows * input_columns;
        const double outputs = 2 * output_rows * output_columns;
        return (inputs + outputs) * static_cast<double>(depth) * static_cast<double>(bytes_);
    }

    Cut cut(int64_t columns, int64_t depth) const {
        const bool paired = pairs(columns, depth);
        const double run = static_cast<double>((depth < inner_ ? depth : columns * inner_) * bytes_);
        const bool lines_shared = !is_whole(columns, depth) &&
                                  (depth < inner_ ? inner_ : columns * inner_) * bytes_ % kLineBytes != 0;
        const double lines = lines_shared ? 1 + kLineBytes / run : 1;
        const double halo =
            columns < w_.input ? 1 + static_cast<double>(w_.kernel - 1) / static_cast<double>(columns) : 1;
        const double output = static_cast<double>(h_.output) / static_cast<double>(h_.input) *
                              static_cast<double>(w_.output) / static_cast<double>(w_.input);
        const double half_lines = bytes_ < kStoreBytes && !paired ? 2 : 1;
        return {columns, depth, paired, lines * (halo * (1 + 2 * output) + half_lines)};
    }

    const maxpoolgrad::Axis& h_;
    const maxpoolgrad::Axis& w_;
    int64_t outer_;
    int64_t inner_;
    int64_t bytes_;
};

// Whether every number that the kernel computes with, one turn of a block past the end included, fits 32
// bits.
inline bool is_narrow(const Pooling& pooling) {
    constexpr int64_t kLimit = std::numeric_limits<int32_t>::max() - 4 * int64_t{kNarrowThreads};
    const auto fits = [](const maxpoolgrad::Axis& axis) {
        return axis.pad <= kLimit - axis.input - axis.kernel &&
               axis.output <= (kLimit - axis.kernel) / axis.stride;
    };
    const auto area = [&pooling](int64_t height, int64_t width) {
        return height == 0 || width == 0 || height <= kLimit / std::max<int64_t>(pooling.planes(), 1) / width;
    };
    return pooling.h.input <= kLimit && pooling.w.input <= kLimit && fits(pooling.h) && fits(pooling.w) &&
           area(pooling.h.input, pooling.w.input) && area(pooling.h.output, pooling.w.output);
}

// The pooling has passed the contract's checks. `vector_cores` is at least 1.
inline Plan make_plan(const Pooling& pooling, int64_t element_bytes, int64_t vector_cores) {
    const bool planar = pooling.format == DataFormat::kNchw;
    const int64_t outer = planar ? pooling.planes() : pooling.batch;
    const int64_t inner = planar ? 1 : pooling.channels;
    const int64_t elements = pooling.planes() * pooling.h.input * pooling.w.input;
    const bool narrow = is_narrow(pooling);
    const int64_t threads = narrow ? kNarrowThreads : kWideThreads;
    const int64_t turn = threads * kStoreBytes / element_bytes;
    const int64_t granule = kShareBytes / element_bytes;
    const int64_t share = std::max(ceil_div(ceil_div(elements, vector_cores), granule) * granule, turn);
    Cut cut = {pooling.w.input, inner, false, 0};
    if (elements > 0) {
        cut = Cutter(pooling, outer, inner, element_bytes).best();
    }
    Plan plan;
    plan.tiling = {kernel_axis(pooling.h),
                   kernel_axis(pooling.w),
                   outer,
                   inner,
                   cut.columns,
                   cut.depth,
                   share,
                   cut.paired};
    plan.tiling_key = narrow ? kNarrowKey : kWideKey;
    plan.block_dim = static_cast<uint32_t>(std::max<int64_t>(ceil_div(elements, share), 1));
    return plan;
}

} // namespace maxpoolgrad::arch35
