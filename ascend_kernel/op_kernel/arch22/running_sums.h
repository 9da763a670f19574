// Adds up what windows give to their winners along one axis of stride 1: float32, windows in order, each sum
// from its first summand on.
#pragma once

#include "running_axis.h"

namespace maxpoolgrad::arch22 {

// Lines that the sums are made with.
struct RunningSpare {
    Local<float> summands; // two
    Local<float> sum;      // one: of the winner of the moment
    Local<float> zero;     // one, of zeros
    Local<float> landings; // a kernel's: what a position of a block has got from the block before
};

// W: the type of what windows give, half or float.
template <class W>
class RunningSums {
public:
    // Every line of `sums` is written.
    __aicore__ inline RunningSums(const RunningAxis& axis, const Local<W>& given, const Local<float>& sums,
                                  const RunningSpare& spare)
        : axis_(axis), given_(given), sums_(sums), spare_(spare),
          zero_(spare.zero.template ReinterpretCast<W>()) {}

    __aicore__ inline void run() {
        int32_t done = 0;
        for (int32_t i = 0; axis_.block(i).first < axis_.windows; ++i) {
            const RunningBlock block = axis_.block(i);
            ends(block, i > 0);
            beginnings(block);
            done = block.next_end;
        }
        fill<float>(sums_[done * axis_.line], 0, (axis_.positions - done) * axis_.line);
        step();
    }

private:
    static constexpr bool kHalf = Element<W>::kBytes == 2;

    __aicore__ inline Local<float> sums(int32_t position) const { return sums_[position * axis_.line]; }
    __aicore__ inline Local<W> given(int32_t window) const { return given_[window * axis_.line]; }

    // To winners in a block, by windows that begin there. `prior`: windows of the block before have given
    // already.
    __aicore__ inline void ends(const RunningBlock& block, bool prior) {
        if (prior) {
            find_landings(block);
        }
        int32_t position = axis_.start(block.first);
        bool started = prior;
        for (int32_t window = block.first; window < block.last; ++window) {
            for (; position < axis_.start(window); ++position) {
                leave(block, position, prior);
            }
            const bool shared = block.ahead(window) > 0;
            const Local<W> summand = shared ? pick(window, false) : given(window);
            if (started) {
                increase(current(block, position, prior), summand);
            } else {
                assign(current(block, position, prior), summand);
            }
            started = true;
            step();
        }
        for (; position < block.end - 1; ++position) {
            leave(block, position, prior);
        }
    }
    // The sum of the winner of the windows that begin at a position. The last one of a block always wins in
    // the end.
    __aicore__ inline Local<float> current(const RunningBlock& block, int32_t position, bool prior) const {
        return position == block.end - 1 ? sums(position)
               : prior                   ? spare_.landings[(position - block.begin) * axis_.line]
                                         : spare_.sum;
    }
    // What the winner of the windows that begin at a position has got before.
    __aicore__ inline void find_landings(const RunningBlock& block) {
        for (int32_t t = block.end - 2; t >= block.begin; --t) {
            select(current(block, t, true), axis_.from_right(t), sums(t), current(block, t + 1, true));
            step();
        }
    }
    // Windows behind this one do not hold the position any more: if it was the winner, its sum is complete.
    __aicore__ inline void leave(const RunningBlock& block, int32_t position, bool prior) {
        const Local<float> sum = current(block, position, prior), next = current(block, position + 1, prior);
        const Local<uint8_t> wins = axis_.from_right(position);
        if (prior) {
            select(sums(position), wins, sum, sums(position));
            select(next, wins, next, sum);
        } else {
            choose(sums(position), wins, sum, axis_.line);
            step();
            select(next, wins, spare_.zero, sum);
        }
        step();
    }

    // To winners in the block behind, as far as windows reach into it.
    __aicore__ inline void beginnings(const RunningBlock& block) {
        const int32_t reached = block.ahead(block.last - 1);
        for (int32_t window = block.first + 1; window < block.last && reached > 0; ++window) {
            const int32_t position = block.end + block.ahead(window) - 1;
            const bool enters = block.ahead(window - 1) < block.ahead(window);
            const Local<W> summand = pick(window, true);
            if (enters && position == block.end) {
                assign(sums(position), summand);
            } else {
                if (enters) {
                    select(sums(position), axis_.from_left(position), spare_.zero, sums(position - 1));
                    step();
                }
                increase(sums(position), summand);
            }
            step();
        }
        // Each winner's sum is complete at the window before the next winner: it goes back to where the
        // winner is.
        for (int32_t t = block.end + reached - 1; t > block.end; --t) {
            select(sums(t - 1), axis_.from_left(t), sums(t - 1), sums(t));
            step();
            choose(sums(t), axis_.from_left(t), sums(t), axis_.line);
        }
        fill<float>(sums(block.end + reached), 0, (block.next_end - block.end - reached) * axis_.line);
        step();
    }

    // What a window gives to the block that it begins in, or to the next one.
    __aicore__ inline Local<W> pick(int32_t window, bool next) {
        const Local<W> to = spare_.summands[turn_ * axis_.line].template ReinterpretCast<W>();
        turn_ = 1 - turn_;
        if (next) {
            choose(to, axis_.ahead(window), given(window), axis_.line);
        } else {
            AscendC::Select(to, axis_.ahead(window), zero_, given(window),
                            AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, static_cast<uint32_t>(axis_.line));
        }
        step();
        return to;
    }
    __aicore__ inline void assign(const Local<float>& to, const Local<W>& from) {
        if constexpr (kHalf) {
            AscendC::Cast(to, from, AscendC::RoundMode::CAST_NONE, static_cast<uint32_t>(axis_.line));
        } else {
            copy_blocks(to, from, 1, axis_.line * 4 / kBlockBytes, 0, 0);
        }
    }
    __aicore__ inline void increase(const Local<float>& to, const Local<W>& from) {
        if constexpr (kHalf) {
            AscendC::Axpy(to, from, static_cast<half>(1.0f), axis_.line);
        } else {
            AscendC::Add(to, to, from, axis_.line);
        }
    }
    __aicore__ inline void select(const Local<float>& to, const Local<uint8_t>& bits, const Local<float>& one,
                                  const Local<float>& other) {
        AscendC::Select(to, bits, one, other, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE,
                        static_cast<uint32_t>(axis_.line));
    }

    const RunningAxis& axis_;
    Local<W> given_;
    Local<float> sums_;
    RunningSpare spare_;
    Local<W> zero_;
    int32_t turn_ = 0;
};

} // namespace maxpoolgrad::arch22
