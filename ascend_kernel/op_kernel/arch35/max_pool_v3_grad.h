// The kernel of the 950 (arch 3510): the scalar unit cuts a block's share into boxes and starts threads on
// each.
#pragma once

#include "gather.h"

namespace maxpoolgrad::arch35 {

template <class Index>
__aicore__ inline BoxAxis<Index> box_axis(const Axis& axis) {
    BoxAxis<Index> out;
    out.input = static_cast<Index>(axis.input);
    out.output = static_cast<Index>(axis.output);
    out.kernel = static_cast<Index>(axis.kernel);
    out.stride = static_cast<Index>(axis.stride);
    out.pad = static_cast<Index>(axis.pad);
    out.magic = static_cast<uint32_t>(axis.magic);
    out.shift = static_cast<uint32_t>(axis.shift);
    return out;
}

// Where position `number` lies; the scalar unit's twin of place_of.
template <class Index>
__aicore__ inline Place<Index> turn_of(int64_t number, const Box<Index>& box) {
    Place<Index> turn;
    turn.inner = static_cast<Index>(number % box.depth);
    number /= box.depth;
    turn.w = static_cast<Index>(number % box.columns);
    number /= box.columns;
    turn.h = static_cast<Index>(number % box.h.input);
    turn.outer = static_cast<Index>(number / box.h.input);
    return turn;
}

__aicore__ inline int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// A map, where a block has whole ones; few enough barriers to cost nothing.
__aicore__ inline int64_t turns_between_barriers(int64_t unit, int64_t turn) {
    constexpr int64_t kFewest = 8;
    const int64_t turns = (unit + turn - 1) / turn;
    return turns > kFewest ? turns : kFewest;
}

template <class T, class Index>
__aicore__ inline void run_boxes(const Tensors<T>& tensors, const Tiling& tiling) {
    const bool aligned = reinterpret_cast<uint64_t>(tensors.out_grad) % kStoreBytes == 0;
    Box<Index> box;
    box.h = box_axis<Index>(tiling.h);
    box.w = box_axis<Index>(tiling.w);
    box.inner = static_cast<Index>(tiling.inner);
    box.pack = tiling.paired == 1 && aligned ? 2 : 1;
    const int64_t turn = static_cast<int64_t>(kThreads<Index>) * box.pack; // positions
    box.turns = static_cast<Index>(turns_between_barriers(tiling.unit, turn));
    const int64_t block = AscendC::GetBlockIdx();
    const int64_t blocks = AscendC::GetBlockNum();
    int64_t skip = tiling.units * block / blocks * tiling.unit; // positions of other blocks that come first
    int64_t left = tiling.units * (block + 1) / blocks * tiling.unit - skip; // of this block's
    for (int64_t inner = 0; inner < tiling.inner && left > 0; inner += tiling.depth) {
        box.first_inner = static_cast<Index>(inner);
        box.depth = static_cast<Index>(smaller(tiling.depth, tiling.inner - inner));
        for (int64_t column = 0; column < tiling.w.input && left > 0; column += tiling.columns) {
            box.first_column = static_cast<Index>(column);
            box.columns = static_cast<Index>(smaller(tiling.columns, tiling.w.input - column));
            const int64_t size = tiling.outer * tiling.h.input * box.columns * box.depth;
            if (skip >= size) {
                skip -= size;
                continue;
            }
            const int64_t count = smaller(left, size - skip);
            box.begin = static_cast<Index>(skip);
            box.end = static_cast<Index>(skip + count);
            box.turn = turn_of(turn, box);
            asc_vf_call<gather<T, Index>>(dim3(kThreads<Index>), tensors, box);
            left -= count;
            skip = 0;
        }
    }
}

// Positions are of type Index, as the tiling key says: int32_t or int64_t.
template <class T, class Index>
__aicore__ inline void run(GM_ADDR orig_input, GM_ADDR orig_output, GM_ADDR grad, GM_ADDR out_grad,
                           const Tiling& tiling) {
    Tensors<T> tensors;
    tensors.orig_input = reinterpret_cast<__gm__ T*>(orig_input);
    tensors.orig_output = reinterpret_cast<__gm__ T*>(orig_output);
    tensors.grad = reinterpret_cast<__gm__ T*>(grad);
    tensors.out_grad = reinterpret_cast<__gm__ T*>(out_grad);
    run_boxes<T, Index>(tensors, tiling);
}

} // namespace maxpoolgrad::arch35
