// The kernel of A2 and A3 (arch 2201), by strategy and layout.
#pragma once

#include "nchw.h"
#include "nhwc.h"
#include "pipeline.h"
#include "running.h"
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
        Walk walk(plan_, plan_.main, AscendC::GetBlockIdx(), AscendC::GetBlockNum());
        search(channels_last, plan_, walk);
    }

    template <class Layout>
    __aicore__ inline void taps() {
        memory_.init(pipe_, plan_.main.at.all);
        Walk walk(plan_, plan_.main, AscendC::GetBlockIdx(), AscendC::GetBlockNum());
        taps<Layout>(plan_, plan_.main, walk);
    }

    template <class Layout>
    __aicore__ inline void separable() {
        checked<Separable<T, Layout>, Layout>();
    }
    template <class Layout>
    __aicore__ inline void running() {
        checked<Running<T, Layout>, Layout>();
    }

private:
    __aicore__ inline void search(bool channels_last, const Tiling& plan, Walk& walk) {
        Search<T> search(plan, memory_, tensors_, channels_last);
        Tile tile;
        while (walk.next(tile)) {
            if (tile.last) {
                search.run(tile.segment);
            }
        }
    }

    template <class Layout>
    __aicore__ inline void taps(const Tiling& plan, const Stage& stage, Walk& walk) {
        using Engine = Taps<T, Layout>;
        Engine engine(plan, stage, memory_, tensors_);
        Pipeline<Engine> pipeline(pipe_, engine);
        Segment failed;
        pipeline.run(walk, failed);
    }

    // An engine that checks what it relies on; what fails is done again.
    template <class Engine, class Layout>
    __aicore__ inline void checked() {
        const bool by_taps = plan_.fallback.strategy == kTaps;
        memory_.init(pipe_, larger(plan_.main.at.all, by_taps ? plan_.fallback.at.all : Search<T>::kMemory));
        Walk walk(plan_, plan_.main, AscendC::GetBlockIdx(), AscendC::GetBlockNum());
        checked<Engine, Layout>(plan_, walk);
        if (plan_.few > 0) {
            Tiling few = plan_;
            few.lanes = few.depth = kGroupLanes;
            few.groups = few.few;
            Walk rest(few, plan_.main, AscendC::GetBlockIdx(), AscendC::GetBlockNum(), few.few_first);
            checked<Engine, Layout>(few, rest);
        }
    }
    template <class Engine, class Layout>
    __aicore__ inline void checked(const Tiling& plan, Walk& walk) {
        Segment failed;
        while (!run<Engine>(plan, walk, failed)) {
            if (plan.fallback.strategy == kTaps) {
                taps_again<Layout>(plan, failed);
            } else {
                Walk again(plan, plan.fallback, failed);
                search(Layout::kChannelsLast, plan, again);
            }
        }
    }
    template <class Engine>
    __aicore__ inline bool run(const Tiling& plan, Walk& walk, Segment& failed) {
        Engine engine(pipe_, plan, plan.main, memory_, tensors_);
        Pipeline<Engine> pipeline(pipe_, engine);
        return pipeline.run(walk, failed);
    }

    // A group of more lanes, 16 at a time.
    template <class Layout>
    __aicore__ inline void taps_again(const Tiling& all, const Segment& failed) {
        Tiling plan = all;
        const int64_t images = Layout::kChannelsLast ? plan.outer : 1;
        const int64_t of_image = Layout::kChannelsLast ? plan.channels : plan.outer;
        const int64_t parts = Layout::kChannelsLast ? all.groups / images : 0;
        const int64_t image = parts > 0 ? failed.group / parts : 0;
        const int64_t first = (failed.group - image * parts) * all.depth;
        plan.lanes = kGroupLanes;
        plan.depth = smaller(kGroupLanes, Layout::kChannelsLast ? plan.channels : kGroupLanes);
        const int64_t small_parts = (of_image + plan.depth - 1) / plan.depth;
        plan.groups = images * small_parts;
        for (int64_t lane = first; lane < smaller(of_image, first + all.depth); lane += plan.depth) {
            Segment segment = failed;
            segment.group = image * small_parts + lane / plan.depth;
            Walk again(plan, plan.fallback, segment);
            taps<Layout>(plan, plan.fallback, again);
        }
    }

    AscendC::TPipe pipe_;
    const Tiling& plan_;
    Memory memory_;
    Tensors<T> tensors_;
};

} // namespace maxpoolgrad::arch22
