// Where pixels of positions or windows stand in the unified buffer.
#pragma once

#include "walk.h"

namespace maxpoolgrad::arch22 {

// Rows and columns of memory by residue class: a class has its own rows of pixels. Distances are in elements.
template <class T>
struct Grid {
    Local<T> at;
    int32_t row_shift,
        column_shift; // place of the tensor's row and column 0 of a tile, counted from the grid's first
    int32_t row_stride, column_stride;
    int32_t row_residue, column_residue; // from class to class
    int32_t row, pixel;                  // from row to row and from pixel to pixel of a class
};

// A grid without residue classes.
template <class T>
__aicore__ inline Grid<T> plain_grid(const Local<T>& at, int32_t row_shift, int32_t row, int32_t pixel) {
    return {at, row_shift, 0, 1, 1, 0, 0, row, pixel};
}

// The tensors that a tile brings.
enum class Source { kX, kY, kGrad };

// The same for both layouts: where tensors stand in memory, and where a tile's in a slot.
template <class T>
struct Tensors {
    AscendC::GlobalTensor<T> x, y, grad, out;

    __aicore__ inline void init(GM_ADDR orig_input, GM_ADDR orig_output, GM_ADDR grad_values,
                                GM_ADDR out_grad) {
        x.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(orig_input));
        y.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(orig_output));
        grad.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(grad_values));
        out.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(out_grad));
    }
};

template <class T>
__aicore__ inline Local<T> slot_array(Memory& memory, const Buffers& at, int32_t slot, Source source) {
    const int64_t begin = source == Source::kX ? at.x : source == Source::kY ? at.y : at.grad;
    const int64_t end = source == Source::kX ? at.y : source == Source::kY ? at.grad : at.slot;
    return memory.at<T>(slot * at.slot + begin, end - begin);
}

} // namespace maxpoolgrad::arch22
