// The plan for the 950 (arch 3510), made on the host: positions of 32 or 64 bits, blocks, boxes.
//
// The kernel's threads read the inputs through the data cache of their core. In memory order that cache is
// enough where it holds the rows of the three inputs that the windows over one row of out_grad reach. Where
// it is not, or where a block would get too few rows, out_grad is cut into boxes of fewer columns or
// channels.
#pragma once

#include "cut.h"
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

inline Axis kernel_axis(const maxpoolgrad::Axis& axis) {
    int64_t shift = 0;
    while ((int64_t{1} << shift) < axis.stride) {
        ++shift;
    }
    const int64_t magic = ceil_div(int64_t{1} << (31 + shift), axis.stride);
    return {axis.input, axis.output, axis.kernel, axis.stride, axis.pad, magic, shift};
}

// Whether every number that the kernel computes with, one turn of a block past the end included, fits 32
// bits.
inline bool is_narrow(const Pooling& pooling) {
    constexpr int64_t kLimit = std::numeric_limits<int32_t>::max() - 4 * int64_t{kNarrowThreads};
    const auto fits = [](const maxpoolgrad::Axis& axis) {
        return axis.input <= kLimit - axis.kernel && axis.pad <= kLimit - axis.kernel - axis.input &&
               axis.output <= (kLimit - axis.kernel) / axis.stride;
    };
    const auto few = [&pooling](int64_t height, int64_t width) {
        const int64_t planes = std::max<int64_t>(pooling.planes(), 1);
        return height == 0 || width == 0 || height <= kLimit / planes / width;
    };
    return pooling.planes() <= kLimit && fits(pooling.h) && fits(pooling.w) &&
           few(pooling.h.input, pooling.w.input) && few(pooling.h.output, pooling.w.output);
}

// The pooling has passed the contract's checks. `vector_cores` is at least 1.
inline Plan make_plan(const Pooling& pooling, int64_t element_bytes, int64_t vector_cores) {
    const bool planar = pooling.format == DataFormat::kNchw;
    const bool narrow = is_narrow(pooling);
    const int64_t elements = pooling.planes() * pooling.h.input * pooling.w.input;
    const int64_t turn = (narrow ? kNarrowThreads : kWideThreads) * kStoreBytes / element_bytes;
    // Every thread of a block has something to do in its first turn.
    const int64_t blocks = std::min(std::max<int64_t>(ceil_div(elements, turn), 1), vector_cores);
    Plan plan{};
    Tiling& tiling = plan.tiling;
    tiling.h = kernel_axis(pooling.h);
    tiling.w = kernel_axis(pooling.w);
    tiling.outer = planar ? pooling.planes() : pooling.batch;
    tiling.inner = planar ? 1 : pooling.channels;
    tiling.columns = tiling.depth = tiling.unit = 1;
    if (elements > 0) {
        const Cut cut = Cutter(tiling, element_bytes, blocks).best();
        tiling.columns = cut.columns;
        tiling.depth = cut.depth;
        tiling.unit = cut.unit;
        tiling.paired = cut.paired ? 1 : 0;
    }
    tiling.units = ceil_div(elements, tiling.unit);
    plan.tiling_key = narrow ? kNarrowKey : kWideKey;
    plan.block_dim = static_cast<uint32_t>(std::min(blocks, std::max<int64_t>(tiling.units, 1)));
    return plan;
}

} // namespace maxpoolgrad::arch35
