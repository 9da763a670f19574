// The maximum of several arrays, element by element.
#pragma once

#include "element.h"

namespace maxpoolgrad::arch22 {

// Arrays by tap, of which those `stride` taps apart are one array, `step` elements further on.
template <class T>
struct Series {
    Local<T> first;
    int32_t stride, residue, step;

    __aicore__ inline Local<T> at(int32_t tap) const {
        return first[tap % stride * residue + tap / stride * step];
    }
    // Where all of them are one array, widths double.
    __aicore__ inline bool doubles(int32_t taps) const { return stride == 1 && taps > 3; }
};

// Maxima of as many taps as half of them and more, in one of the spare arrays or the series itself; `width`
// becomes how many taps they are of, and the last step is left.
template <class T>
__aicore__ inline Local<T> doubled(const Series<T>& series, int32_t taps, int32_t count,
                                   const Local<T> (&spare)[2], int32_t& width, int32_t& turn) {
    Local<T> from = series.first;
    for (width = 1, turn = 0; 2 * width < taps; width *= 2, turn = 1 - turn) {
        AscendC::Max(spare[turn], from, from[width * series.step], count + (taps - 2 * width) * series.step);
        step();
        from = spare[turn];
    }
    return from;
}

template <class T>
__aicore__ inline void maximum_of_all(const Local<T>& to, const Series<T>& series, int32_t taps,
                                      int32_t count) {
    AscendC::Max(to, series.at(0), series.at(1), count);
    for (int32_t tap = 2; tap < taps; ++tap) {
        step();
        AscendC::Max(to, to, series.at(tap), count);
    }
}

// In `to`.
template <class T>
__aicore__ inline void maximum_to(const Local<T>& to, const Series<T>& series, int32_t taps, int32_t lanes,
                                  const Local<T> (&spare)[2]) {
    if (taps == 1) {
        copy_blocks(to, series.first, 1, lanes * Element<T>::kBytes / kBlockBytes, 0, 0);
    } else if (series.doubles(taps)) {
        int32_t width, turn;
        const Local<T> from = doubled(series, taps, lanes, spare, width, turn);
        AscendC::Max(to, from, from[(taps - width) * series.step], lanes);
    } else {
        maximum_of_all(to, series, taps, lanes);
    }
}

// In a spare array or, of one tap, where it is.
template <class T>
__aicore__ inline Local<T> maximum(const Series<T>& series, int32_t taps, int32_t count,
                                   const Local<T> (&spare)[2]) {
    if (taps == 1) {
        return series.first;
    }
    if (!series.doubles(taps)) {
        maximum_of_all(spare[0], series, taps, count);
        return spare[0];
    }
    int32_t width, turn;
    const Local<T> from = doubled(series, taps, count, spare, width, turn);
    AscendC::Max(spare[turn], from, from[(taps - width) * series.step], count);
    return spare[turn];
}

} // namespace maxpoolgrad::arch22
