// The gradient of one position of out_grad, gathered from the windows over it.
//
// A thread owns the positions that it writes, so nothing is added by two threads and nothing written twice:
// no atomics, no index workspace, no SyncAll. For each column of windows over its position, left to right, it
// sums the gradients of those windows whose first equal position is its own, top to bottom, and adds the sum.
// A window's own position is equal where its output equals the value there; it is the first one where the
// value has not been in the window before.
#pragma once

#include "box.h"
#include "simt_api/asc_fp16.h"
#include "simt_api/asc_simt.h"
#include "simt_api/common_functions.h"

namespace maxpoolgrad::arch35 {

template <class T>
struct Tensors {
    __gm__ T* orig_input;
    __gm__ T* orig_output;
    __gm__ T* grad;
    __gm__ T* out_grad;
};

// Through the data cache: neighbours read the same lines. Half compares and adds as float; the conversion is
// exact.
__simt_callee__ inline float load(__gm__ float* address) {
    return asc_ldca(address);
}

__simt_callee__ inline float load(__gm__ half* address) {
    return __half2float(asc_ldca(address));
}

// Past the data cache: no thread reads out_grad.
__simt_callee__ inline void store(__gm__ float* address, float value) {
    asc_stcg(address, value);
}

__simt_callee__ inline void store(__gm__ half* address, float value) {
    asc_stcg(address, __float2half(value)); // to nearest even, overflow to infinity
}

__simt_callee__ inline void store_pair(__gm__ half* address, float first, float second) {
    half2 both;
    both.x = __float2half(first);
    both.y = __float2half(second);
    asc_stcg(reinterpret_cast<__gm__ half2*>(address), both);
}

template <class T, class Index>
__simt_callee__ inline bool has_value(__gm__ T* row, Index begin, Index end, Index step, float value) {
    for (Index w = begin; w < end; ++w) {
        if (load(row + w * step) == value) {
            return true;
        }
    }
    return false;
}

// The sum of column `wo` of windows for the position at row `h`, column `w` of a plane, whose value is
// `value`.
//
// The value is looked for backwards, left of the position and then row by row above it, as far up as the
// topmost window reaches that it could win: the row where it is met keeps all windows from winning that reach
// it. One search serves the whole column of windows, and ends at the nearest equal value, so that many equal
// values cost no more than one.
template <class T, class Index>
__simt_callee__ inline float column_sum(__gm__ T* input, __gm__ T* output, __gm__ T* grad,
                                        const Box<Index>& box, Index h, Index w, float value, Index wo,
                                        const Span<Index>& windows) {
    const Index row_step = box.w.output * box.inner;
    Index ho = windows.begin;
    Index at = (ho * box.w.output + wo) * box.inner;
    while (ho < windows.end && load(output + at) != value) {
        ++ho;
        at += row_step;
    }
    if (ho >= windows.end) {
        return 0.0f;
    }
    const Span<Index> columns = positions_of(wo, box.w);
    const Index line = box.w.input * box.inner;
    if (has_value(input + h * line, columns.begin, w, box.inner, value)) {
        return 0.0f;
    }
    const Index top = positions_of(ho, box.h).begin;
    Index met = h - 1;
    while (met >= top && !has_value(input + met * line, columns.begin, columns.end, box.inner, value)) {
        --met;
    }
    float sum = 0.0f;
    for (; ho < windows.end; ++ho) {
        if (positions_of(ho, box.h).begin > met && load(output + at) == value) {
            sum += load(grad + at);
        }
        at += row_step;
    }
    return sum;
}

// NaN equals nothing, so that it gathers nothing.
template <class T, class Index>
__simt_callee__ inline float gradient_at(const Tensors<T>& tensors, const Box<Index>& box,
                                         const Place<Index>& place) {
    const Index inner = box.first_inner + place.inner;
    const Index w = box.first_column + place.w;
    __gm__ T* input = tensors.orig_input + (place.outer * box.h.input * box.w.input * box.inner + inner);
    const Index plane = place.outer * box.h.output * box.w.output * box.inner + inner;
    const float value = load(input + (place.h * box.w.input + w) * box.inner);
    const Span<Index> rows = windows_over(place.h, box.h);
    const Span<Index> columns = windows_over(w, box.w);
    float total = 0.0f;
    for (Index wo = columns.begin; wo < columns.end; ++wo) {
        total += column_sum(input, tensors.orig_output + plane, tensors.grad + plane, box, place.h, w, value,
                            wo, rows);
    }
    return total;
}

template <class Index>
constexpr uint32_t kThreads = sizeof(Index) == sizeof(int32_t) ? kNarrowThreads : kWideThreads;

// Writes the positions from `place` on, one or two.
template <class T, class Index>
__simt_callee__ inline void gather_at(const Tensors<T>& tensors, const Box<Index>& box,
                                      const Place<Index>& place, bool two) {
    __gm__ T* target =
        tensors.out_grad +
        ((place.outer * box.h.input + place.h) * box.w.input + box.first_column + place.w) * box.inner +
        box.first_inner + place.inner;
    const float first = gradient_at(tensors, box, place);
    if constexpr (sizeof(T) < kStoreBytes) {
        if (two) {
            const Place<Index> one = {0, 0, 0, 1};
            store_pair(target, first, gradient_at(tensors, box, moved(box, place, one)));
            return;
        }
    }
    store(target, first);
}

// One block's share of a box. In each turn the threads of the block take consecutive positions. Some have
// more to search than others; barriers keep them together, among rows that the data cache holds.
template <class T, class Index>
__simt_vf__ __launch_bounds__(kThreads<Index>) inline void gather(Tensors<T> tensors, Box<Index> box) {
    const Index step = static_cast<Index>(blockDim.x) * box.pack;
    const Index ahead = static_cast<Index>(threadIdx.x) * box.pack;
    Place<Index> place = place_of(box.begin + ahead, box.h.input, box.columns, box.depth);
    Index turns = 0;
    for (Index base = box.begin; base < box.end; base += step) {
        const Index number = base + ahead;
        if (number < box.end) {
            gather_at(tensors, box, place, box.pack == 2 && number + 1 < box.end);
            place = moved(box, place, box.turn);
        }
        if (++turns == box.turns) {
            turns = 0;
            asc_syncthreads();
        }
    }
}

} // namespace maxpoolgrad::arch35
