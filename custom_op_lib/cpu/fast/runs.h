// A plane's gradients as runs: windows of one column, one below the other, that have the same first maximum.
#pragma once

#include "../simd/moves_avx512.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kMostRows = 16;
constexpr int64_t kMostPlaces = kMostRows * kLanes;

// For each window the sum of its run so far, and the place that receives it: rows of kLanes.
struct Runs {
    alignas(64) float sums[kMostPlaces];
    alignas(64) uint8_t places[kMostPlaces];
};

// Which windows there are, and which of them are the lowest, as bits: 16 a column.
struct RunShape {
    uint64_t windows[4] = {}, lowest[4] = {};
    int64_t columns;

    RunShape(int64_t height, int64_t width) : columns(width) {
        for (int64_t column = 0; column < width; ++column) {
            const int64_t shift = column % 4 * kMostRows;
            windows[column / 4] |= ((uint64_t{1} << height) - 1) << shift;
            lowest[column / 4] |= uint64_t{1} << (height - 1 + shift);
        }
    }
};

template <class T>
inline void clear(T* to, int64_t count) {
    for (; count >= kLanes; count -= kLanes, to += kLanes) {
        store(to, Floats{});
    }
    store_part(to, Floats{}, count);
}

// Column by column, as the sums' order is: in each column a place has one run.
inline void add_runs(const Runs& runs, const RunShape& shape, float* total) {
    alignas(64) uint64_t ends[4];
    ends_of_columns(runs.places, ends);
    for (int four = 0; four < 4; ++four) {
        ends[four] = (ends[four] | shape.lowest[four]) & shape.windows[four];
    }
    uint16_t columns[kMostRows];
    __builtin_memcpy(columns, ends, sizeof columns);
    uint8_t list[kMostPlaces + kLanes];
    Ints window = lane_numbers() * splat(int32_t{kLanes});
    int64_t count = 0;
    for (int64_t column = 0; column < shape.columns; ++column) {
        store_packed_bytes(list + count, columns[column], window);
        window += splat(int32_t{1});
        count += __builtin_popcount(columns[column]);
    }
    for (int64_t i = 0; i < count; ++i) {
        const size_t last = list[i];
        total[runs.places[last]] += runs.sums[last];
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
