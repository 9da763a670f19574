// The greatest keys down the rows: rows arrive one by one, each is kept as the greatest of itself and the
// three above, and a window is a few of those.
#pragma once

#include "../simd/moves_avx512.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kMostDown = 2 * kLanes; // rows of a window
constexpr int64_t kMostRows = 16;         // of a plane, of input as of windows

// Which of the kept rows a window is, counted in elements from its own number.
struct DownPlan {
    bool alone; // windows have fewer than four rows: each row is kept as it is
    int chunks;
    int64_t step, first, last;

    explicit DownPlan(const FastAxis& axis) : alone(axis.kernel < 4) {
        const int64_t rows = alone ? 1 : 4;
        chunks = static_cast<int>((axis.kernel + rows - 1) / rows);
        step = rows * kLanes;
        first = (rows - 1 - axis.pad) * kLanes;
        last = (axis.kernel - 1 - axis.pad) * kLanes;
    }

    // The windows of the row `from`; of `count` chunks.
    template <int count>
    [[gnu::always_inline]] Ints windows(const int32_t* from) const {
        Ints greatest = load(from + last);
        for (int i = 0; i < (count > 0 ? count : chunks) - 1; ++i) {
            greatest = greatest_unsigned(greatest, load(from + first + i * (count > 0 ? 4 * kLanes : step)));
        }
        return greatest;
    }
};

// The rows that have arrived last.
struct LastRows {
    Ints one{}, two{}, two_before{};

    // What is kept of `row`.
    [[gnu::always_inline]] Ints put(Ints row, bool alone) {
        const Ints now = greatest_unsigned(row, one);
        const Ints four = greatest_unsigned(now, two_before);
        one = row;
        two_before = two;
        two = now;
        return alone ? row : four;
    }
};

// Room for rows of padding above and below, which are no keys.
class DownRows {
public:
    DownRows() {
        for (int64_t row = 0; row < 2 * kMostDown + kMostRows; ++row) {
            store(rows_ + row * kLanes, Ints{});
        }
    }

    int32_t* row(int64_t number) { return rows_ + (kMostDown + number) * kLanes; }

private:
    alignas(64) int32_t rows_[(2 * kMostDown + kMostRows) * kLanes];
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
