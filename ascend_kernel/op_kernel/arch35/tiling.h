// What the kernel of the 950 (arch 3510) is told about its launch: plain numbers, written by plan.h on the
// host.
#pragma once

#include <cstdint>

namespace maxpoolgrad::arch35 {

// The tiling keys say how wide positions are: 32 bits as long as every one of them fits. The kernel's entry
// has them as numbers, since CANN looks for them in the source.
constexpr uint64_t kNarrowKey = 3501;
constexpr uint64_t kWideKey = 3502;

// A block is one SIMT thread block. The fewer threads it has, the more registers each one gets: 64 with up to
// 512 threads, 127 with up to 256. 64-bit positions take about twice as many.
constexpr uint32_t kNarrowThreads = 512;
constexpr uint32_t kWideThreads = 256;

// A thread stores 4 bytes at a time, so that a warp of 32 threads fills a line of 128 B.
constexpr int64_t kStoreBytes = 4;

// One axis of the pooling, as in geometry.h, with the stride's division: for 0 <= n < 2^31,
// n / stride == (2 n * magic >> 32) >> shift.
struct Axis {
    int64_t input;
    int64_t output;
    int64_t kernel;
    int64_t stride;
    int64_t pad;
    int64_t magic;
    int64_t shift;
};

// Both layouts are [outer, h, w, inner]: NCHW has planes outside and nothing inside, NHWC has the batch
// outside and the channels inside.
//
// out_grad is walked in boxes of `columns` columns and `depth` channels; the last ones of a row or pixel are
// what is left. A box spans all of outer and h. One box is everything, in memory order, where a few rows of
// the tensors fit the data cache; else boxes are chosen so that theirs do. Counted box after box, each in the
// order [outer, h, columns, depth], positions make `units` units; block number b owns the units from
// units * b / blocks up to units * (b + 1) / blocks.
struct Tiling {
    Axis h;
    Axis w;
    int64_t outer;
    int64_t inner;
    int64_t columns;
    int64_t depth;
    int64_t unit;  // positions
    int64_t units; // the last one may be smaller
    int64_t
        paired; // 1: positions 2 n and 2 n + 1 of a box are neighbours in memory, the first on an even place
};

} // namespace maxpoolgrad::arch35
