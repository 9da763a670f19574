// The kernel of A2 and A3 (arch 2201), by strategy and layout.
#pragma once

#include "nchw.h"
#include "nhwc.h"
#include "pipeline.h"
#include "search.h"
#include "separable.h"
#include "taps.h"
#include "zeros.h"

namespace maxpoolgrad::arch22 {

template <class T>
class Kernel {
public:
    __aicore__ inline Kernel(const Tiling& plan, GM_ADDR orig_input, GM_ADDR orig_output, GM_ADDR grad,
                             GM_ADDR out_grad)
        : plan_(plan) {
        tensors_.init(orig_input, orig_output, grad, out_grad);
    }

    __aicore__ inline void zeros() {
        memory_.init(pipe_, 64 * 1024);
        write_zeros<T>(plan_, memory_, tensors_);
    }

    __aicore__ inline void search(bool channels_last) {
        memory_.init(pipe_, Search<T>::kMemory);
        Walk walk(plan_, plan_.h.cells, AscendC::GetBlockIdx(), AscendC::GetBlockNum());
        search(channels_last, walk);
    }

    template <class Layout>
    __aicore__ inline void taps() {
        memory_.init(pipe_, plan_.main.at.all);
        Walk walk(plan_, plan_.main.tile_rows, AscendC::GetBlockIdx(), AscendC::GetBlockNum());
        taps<Layout>(plan_.main, walk);
    }

    template <class Layout>
    __aicore__ inline void separable() {
        const bool by_taps = plan_.fallback.strategy == kTaps;
        memory_.init(pipe_, larger(plan_.main.at.all, by_taps ? plan_.fallback.at.all : Search<T>::kMemory));
        Walk walk(plan_, plan_.main.tile_rows, AscendC::GetBlockIdx(), AscendC::GetBlockNum());
        Segment failed;
        while (!separable<Layout>(walk, failed)) {
            Walk again(plan_, by_taps ? plan_.fallback.tile_rows : plan_.h.cells, failed);
            if (by_taps) {
                taps<Layout>(plan_.fallback, again);
            } else {
                search(Layout::kChannelsLast, again);
            }
        }
    }

private:
    __aicore__ inline void search(bool channels_last, Walk& walk) {
        Search<T> search(plan_, memory_, tensors_, channels_last);
        Tile tile;
        while (walk.next(tile)) {
            if (tile.last) {
                search.run(tile.segment);
            }
        }
    }

    template <class Layout>
    __aicore__ inline void taps(const Stage& stage, Walk& walk) {
        using Engine = Taps<T, Layout>;
        Engine engine(plan_, stage, memory_, tensors_);
        Pipeline<Engine> pipeline(pipe_, engine);
        Segment failed;
        pipeline.run(walk, failed);
    }

    template <class Layout>
    __aicore__ inline bool separable(Walk& walk, Segment& failed) {
        using Engine = Separable<T, Layout>;
        Engine engine(pipe_, plan_, plan_.main, memory_, tensors_);
        Pipeline<Engine> pipeline(pipe_, engine);
        return pipeline.run(walk, failed);
    }

    AscendC::TPipe pipe_;
    const Tiling& plan_;
    Memory memory_;
    Tensors<T> tensors_;
};

} // namespace maxpoolgrad::arch22
