// One axis of windows of stride 1 in a number of steps that does not grow with the kernel. Positions are cut
// into blocks of a kernel's length, so that a window is the end of one block and the beginning of the next.
// In the end of a block, the winner of every window is one of its maxima from the right, and in the beginning
// one of those from the left; windows with the same winner follow on each other, so what they give is added
// up as the windows go by. A line is one position (or window) of this axis with all of the other axis and all
// lanes.
#pragma once

#include "element.h"

namespace maxpoolgrad::arch22 {

// A block of positions, the one behind it, and the windows that begin in the first.
struct RunningBlock {
    int32_t begin, end, next_end;
    int32_t first, last; // windows [first, last)

    // Positions of the next block that a window reaches into.
    __aicore__ inline int32_t ahead(int32_t window) const {
        const int32_t reaches = window - first, there = next_end - end;
        return reaches < there ? reaches : there;
    }
};

class RunningAxis {
public:
    __aicore__ inline RunningAxis(const Axis& axis, int32_t line, int32_t mask_bytes)
        : positions(static_cast<int32_t>(axis.input)), windows(static_cast<int32_t>(axis.windows)),
          line(line), kernel_(static_cast<int32_t>(axis.kernel)), pad_(static_cast<int32_t>(axis.pad)),
          mask_bytes_(mask_bytes) {}

    __aicore__ inline void set_masks(const Local<uint8_t>& masks) { masks_ = masks; }

    // Block number i; there is none once first >= windows.
    __aicore__ inline RunningBlock block(int32_t i) const {
        const int32_t begin = i * kernel_ - pad_;
        return {begin < 0 ? 0 : begin, least(begin + kernel_, positions),
                least(begin + 2 * kernel_, positions), i * kernel_, least((i + 1) * kernel_, windows)};
    }
    // The first position of a window.
    __aicore__ inline int32_t start(int32_t window) const { return window < pad_ ? 0 : window - pad_; }

    // Where a position is the maximum of itself and those behind it in its block (the first of equals).
    __aicore__ inline Local<uint8_t> from_right(int32_t position) const {
        return masks_[position * mask_bytes_];
    }
    // Where a position is more than all those before it in its block.
    __aicore__ inline Local<uint8_t> from_left(int32_t position) const {
        return masks_[(positions + position) * mask_bytes_];
    }
    // Where a window's winner lies in its second block.
    __aicore__ inline Local<uint8_t> ahead(int32_t window) const {
        return masks_[(2 * positions + window) * mask_bytes_];
    }

    const int32_t positions, windows, line;

private:
    const int32_t kernel_, pad_, mask_bytes_;
    Local<uint8_t> masks_;
};

// Finds winners. `Taker` says where a window's maximum may be put, and takes it, there or elsewhere.
template <class T, class Taker>
class RunningSearch {
public:
    // `maxima`: a line a position.
    __aicore__ inline RunningSearch(const RunningAxis& axis, const Local<T>& x, const Local<T>& maxima,
                                    Taker& taker)
        : axis_(axis), x_(x), maxima_(maxima), taker_(taker) {}

    __aicore__ inline void run() {
        for (int32_t i = 0; axis_.block(i).first < axis_.windows; ++i) {
            const RunningBlock block = axis_.block(i);
            find_maxima(block);
            step();
            for (int32_t window = block.first; window < block.last; ++window) {
                decide(block, window);
            }
            step();
        }
    }

private:
    __aicore__ inline Local<T> x(int32_t position) const { return x_[position * axis_.line]; }
    // The maximum from a position to the end of its block, and from the beginning of its block to a position.
    __aicore__ inline Local<T> to_end(const RunningBlock& block, int32_t position) const {
        return position == block.end - 1 ? x(position) : maxima_[position * axis_.line];
    }
    __aicore__ inline Local<T> from_begin(const RunningBlock& block, int32_t position) const {
        return position == block.end ? x(position) : maxima_[position * axis_.line];
    }

    // Comparisons read whole repeats, so beyond a line: they wait until all lines are written.
    __aicore__ inline void find_maxima(const RunningBlock& block) {
        const int32_t reached = block.end + block.ahead(block.last - 1);
        for (int32_t t = block.end - 2; t >= block.begin; --t) {
            AscendC::Max(maxima_[t * axis_.line], x(t), to_end(block, t + 1), axis_.line);
            step();
        }
        for (int32_t t = block.end + 1; t < reached; ++t) {
            AscendC::Max(maxima_[t * axis_.line], from_begin(block, t - 1), x(t), axis_.line);
            step();
        }
        for (int32_t t = block.begin; t + 1 < block.end; ++t) {
            compare(axis_.from_right(t), x(t), to_end(block, t), AscendC::CMPMODE::EQ, axis_.line);
        }
        for (int32_t t = block.end + 1; t < reached; ++t) {
            compare(axis_.from_left(t), x(t), from_begin(block, t - 1), AscendC::CMPMODE::GT, axis_.line);
        }
    }
    __aicore__ inline void decide(const RunningBlock& block, int32_t window) {
        const Local<T> here = to_end(block, axis_.start(window));
        const int32_t ahead = block.ahead(window);
        if (ahead == 0) {
            taker_.take(window, here);
            return;
        }
        const Local<T> there = from_begin(block, block.end + ahead - 1);
        const Local<T> most = taker_.place(window);
        compare(axis_.ahead(window), there, here, AscendC::CMPMODE::GT, axis_.line);
        AscendC::Max(most, there, here, axis_.line);
        step();
        taker_.take_placed(window, most);
    }

    const RunningAxis& axis_;
    Local<T> x_, maxima_;
    Taker& taker_;
};

} // namespace maxpoolgrad::arch22
