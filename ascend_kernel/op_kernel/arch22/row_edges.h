// Rows of cells without padding: the maxima of the windows that reach beyond a row's ends, which are made of
// fewer positions.
#pragma once

#include "frame.h"

namespace maxpoolgrad::arch22 {

template <class T>
class RowEdges {
public:
    // `maxima`: of windows of stride 1, right but for those at the ends; `x`: their positions; both in `rows`
    // rows.
    __aicore__ inline RowEdges(const Frame<T>& frame, const Local<T>& maxima, const Local<T>& x, int32_t rows)
        : frame_(frame), maxima_(maxima), x_(x), rows_(rows) {}

    __aicore__ inline void find() {
        const int32_t before = static_cast<int32_t>(frame_.plan.w.pad);
        const int32_t behind = static_cast<int32_t>(frame_.plan.w.kernel) - 1 - before;
        find({0, frame_.lanes, behind + 1, before});
        if (behind > 0) {
            find({frame_.row - frame_.lanes, -frame_.lanes, before + 1, behind});
        }
    }

private:
    // `taps` positions are under the first of some windows, and one more under each next, `next` elements
    // from there.
    struct Edge {
        int32_t begin, next, taps, windows;
    };
    __aicore__ inline void find(const Edge& edge) {
        Local<T> most = x_[edge.begin];
        for (int32_t tap = edge.taps == 1 ? 0 : 1; tap < edge.taps + edge.windows - 1; ++tap) {
            const int32_t window = tap < edge.taps ? 0 : tap - edge.taps + 1;
            const Local<T> place = maxima_[edge.begin + window * edge.next];
            maximum(place, most, x_[edge.begin + tap * edge.next]);
            step();
            most = place;
        }
    }

    // Of one column of pixels: block by block over 8 rows each, or row by row.
    __aicore__ inline void maximum(const Local<T>& to, const Local<T>& a, const Local<T>& b) {
        constexpr int32_t kLanes = kBlockBytes / Element<T>::kBytes, kBlocks = kRepeatBytes / kBlockBytes;
        constexpr int32_t kMostStride = 255;
        const int32_t blocks = frame_.lanes / kLanes, row = frame_.row / kLanes;
        if (row > kMostStride || rows_ <= blocks * quotient_up(rows_, kBlocks)) {
            for (int32_t r = 0; r < rows_; ++r) {
                const int32_t at = r * frame_.row;
                AscendC::Max(to[at], a[at], b[at], frame_.lanes);
            }
            return;
        }
        const uint8_t stride = static_cast<uint8_t>(row);
        const AscendC::BinaryRepeatParams params(stride, stride, stride, 0, 0, 0);
        for (int32_t r = 0; r < rows_; r += kBlocks) {
            const uint64_t mask = static_cast<uint64_t>(least(kBlocks, rows_ - r) * kLanes);
            for (int32_t block = 0; block < blocks; ++block) {
                const int32_t at = r * frame_.row + block * kLanes;
                AscendC::Max(to[at], a[at], b[at], mask, 1, params);
            }
        }
    }

    const Frame<T>& frame_;
    Local<T> maxima_, x_;
    int32_t rows_;
};

} // namespace maxpoolgrad::arch22
