// What taps give to rows further down than a band: kept for the bands below, a run of rows for each tap that
// reaches beyond its window's first row of cells, with zeros in front.
#pragma once

#include "frame.h"

namespace maxpoolgrad::arch22 {

template <class T>
class KeptRows {
public:
    __aicore__ inline explicit KeptRows(const Frame<T>& frame)
        : frame_(frame), kernel_h_(static_cast<int32_t>(frame.plan.h.kernel)),
          kernel_w_(static_cast<int32_t>(frame.plan.w.kernel)),
          stride_h_(static_cast<int32_t>(frame.plan.h.stride)),
          guard_((static_cast<int32_t>(frame.plan.w.reach) - 1) * frame.lanes) {}

    // Those of tap (i, j), `beside` elements before their first row.
    __aicore__ inline Local<T> rows(int32_t i, int32_t j, int32_t beside) const {
        return all(i, j)[guard_ - beside];
    }

    // Of `count` new elements behind the old ones, keeps the last.
    __aicore__ inline void keep(int32_t i, int32_t j, const Local<T>& chosen, int32_t count) {
        const Local<T> kept = rows(i, j, 0);
        const int32_t size = i / stride_h_ * frame_.row;
        const int32_t fresh = count < size ? count : size;
        if (fresh < size) {
            move_up(kept, (size - fresh) / frame_.row, fresh / frame_.row, frame_.row);
        }
        copy_blocks(kept[size - fresh], chosen[count - fresh], 1, fresh * Element<T>::kBytes / kBlockBytes, 0,
                    0);
    }

    __aicore__ inline void clear() {
        for (int32_t i = stride_h_; i < kernel_h_; ++i) {
            for (int32_t j = 0; j < kernel_w_; ++j) {
                const Local<T> kept = all(i, j);
                fill<T>(kept, 0, static_cast<int32_t>(kept.GetSize()));
            }
        }
    }

private:
    __aicore__ inline Local<T> all(int32_t i, int32_t j) const {
        constexpr int64_t kBytes = Element<T>::kBytes;
        int32_t offset = 0;
        for (int32_t tap = stride_h_; tap < i; ++tap) {
            offset += kernel_w_ * (guard_ + tap / stride_h_ * frame_.row);
        }
        const int32_t size = guard_ + i / stride_h_ * frame_.row;
        return frame_.memory.template at<T>(frame_.stage.at.kept + (offset + j * size) * kBytes,
                                            size * kBytes);
    }

    const Frame<T>& frame_;
    const int32_t kernel_h_, kernel_w_, stride_h_, guard_;
};

} // namespace maxpoolgrad::arch22
