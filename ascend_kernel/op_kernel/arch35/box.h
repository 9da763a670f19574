// Where a thread stands: a box of out_grad, the positions a thread goes through in it, the windows over them.
#pragma once

#include "kernel_operator.h"
#include "simt_api/common_functions.h"
#include "tiling.h"

namespace maxpoolgrad::arch35 {

template <class Index>
struct BoxAxis {
    Index input;
    Index output;
    Index kernel;
    Index stride;
    Index pad;
    uint32_t magic;
    uint32_t shift;
};

// A position in a box, digit by digit; `inner` counts fastest.
template <class Index>
struct Place {
    Index outer;
    Index h;
    Index w;
    Index inner;
};

// What a thread needs beside the pointers: handed by value from the scalar unit to all threads.
template <class Index>
struct Box {
    BoxAxis<Index> h;
    BoxAxis<Index> w;
    Index inner;        // of the tensors
    Index first_column; // columns [first_column, first_column + columns)
    Index columns;
    Index first_inner; // inner [first_inner, first_inner + depth)
    Index depth;
    Index begin; // this block's positions of the box
    Index end;
    Index pack;        // positions that a thread stores at once, 1 or 2
    Index turns;       // of the block, between two barriers
    Place<Index> turn; // how far a thread moves from one turn of the block to the next
};

// The digits of position `number` of a box of `rows` rows.
template <class Index>
__simt_callee__ inline Place<Index> place_of(Index number, Index rows, Index columns, Index depth) {
    Place<Index> place;
    place.inner = number % depth;
    number /= depth;
    place.w = number % columns;
    number /= columns;
    place.h = number % rows;
    place.outer = number / rows;
    return place;
}

// Adds digit by digit: no division. Both summands are smaller than their digit's base, save `outer`.
template <class Index>
__simt_callee__ inline Place<Index> moved(const Box<Index>& box, Place<Index> place, const Place<Index>& by) {
    place.inner += by.inner;
    place.w += by.w;
    place.h += by.h;
    place.outer += by.outer;
    if (place.inner >= box.depth) {
        place.inner -= box.depth;
        place.w += 1;
    }
    if (place.w >= box.columns) {
        place.w -= box.columns;
        place.h += 1;
    }
    if (place.h >= box.h.input) {
        place.h -= box.h.input;
        place.outer += 1;
    }
    return place;
}

// The quotient of a number >= 0 and the stride.
__simt_callee__ inline int32_t over_stride(int32_t number, const BoxAxis<int32_t>& axis) {
    const uint64_t product = static_cast<uint64_t>(2u * static_cast<uint32_t>(number)) * axis.magic;
    return static_cast<int32_t>(static_cast<uint32_t>(product >> 32) >> axis.shift);
}

__simt_callee__ inline int64_t over_stride(int64_t number, const BoxAxis<int64_t>& axis) {
    return number / axis.stride;
}

template <class Index>
struct Span {
    Index begin;
    Index end;
};

// The windows that hold a position; begin >= end where none does.
template <class Index>
__simt_callee__ inline Span<Index> windows_over(Index position, const BoxAxis<Index>& axis) {
    const Index padded = position + axis.pad;
    const Index last = over_stride(padded, axis);
    Span<Index> windows;
    windows.begin = padded < axis.kernel ? 0 : over_stride(padded - axis.kernel, axis) + 1;
    windows.end = last < axis.output ? last + 1 : axis.output;
    return windows;
}

// The positions inside the input that a window holds.
template <class Index>
__simt_callee__ inline Span<Index> positions_of(Index window, const BoxAxis<Index>& axis) {
    const Index first = window * axis.stride - axis.pad;
    Span<Index> positions;
    positions.begin = first > 0 ? first : 0;
    positions.end = first + axis.kernel < axis.input ? first + axis.kernel : axis.input;
    return positions;
}

} // namespace maxpoolgrad::arch35
