// The kernel of A2 and A3 (arch 2201), by strategy and layout.
#pragma once

#include "nchw.h"
#include "nhwc.h"
#include "pipeline.h"
#include "search.h"
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
        Search<T> search(plan_, memory_, tensors_, channels_last);
        Walk walk(plan_, plan_.h.cells, AscendC::GetBlockIdx(), AscendC::GetBlockNum());
        Tile tile;
        while (walk.next(tile)) {
            if (tile.last) {
                search.run(tile.segment);
            }
        }
    }

    template <class Layout>
    __aicore__ inline void taps() {
        memory_.init(pipe_, plan_.main.at.all);
        Taps<T, Layout> engine(plan_, plan_.main, memory_, tensors_);
        Pipeline<Taps<T, Layout>> pipeline(pipe_, engine);
        Walk walk(plan_, plan_.main.tile_rows, AscendC::GetBlockIdx(), AscendC::GetBlockNum());
        pipeline.run(walk);
    }

private:
    AscendC::TPipe pipe_;
    const Tiling& plan_;
    Memory memory_;
    Tensors<T> tensors_;
};

} // namespace maxpoolgrad::arch22
