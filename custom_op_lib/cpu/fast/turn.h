// Planes one after the other into planes side by side, and back: element i of plane p is float i kLanes + p.
#pragma once

#include "../simd/shuffles.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Rows become columns: each round puts vector i and the one half of all further on together, and after as
// many rounds as a lane's number has bits, every bit of a row's number has become one of a column's.
inline void transpose(Floats* block) {
    for (int round = kLanes; round > 1; round /= 2) {
        Floats next[kLanes];
        for (int i = 0; i < kLanes / 2; ++i) {
            const Floats pair[2] = {block[i], block[i + kLanes / 2]};
            put_together<2>(pair, next + 2 * i);
        }
        for (int i = 0; i < kLanes; ++i) {
            block[i] = next[i];
        }
    }
}

// `count` elements of kLanes planes. The last block may begin within the one before it. Memory is asked for
// `ahead` elements in front, where the next planes are.
template <class T>
inline void turn(const T* const* planes, int64_t count, int64_t ahead, float* to) {
    for (int64_t i = 0; i < count; i += kLanes) {
        const int64_t first = most(0, least(i, count - kLanes));
        Floats block[kLanes];
        for (int lane = 0; lane < kLanes; ++lane) {
            const T* from = planes[lane] + first;
            __builtin_prefetch(from + ahead);
            block[lane] = count < kLanes ? load_part(from, count) : load(from);
        }
        transpose(block);
        for (int64_t element = 0; element < least(kLanes, count); ++element) {
            store(to + (first + element) * kLanes, block[element]);
        }
    }
}

// `count` elements of the first `written` planes.
template <class T>
inline void turn_back(const float* from, T* const* planes, int64_t written, int64_t count) {
    for (int64_t i = 0; i < count; i += kLanes) {
        const int64_t first = most(0, least(i, count - kLanes));
        Floats block[kLanes] = {};
        for (int64_t element = 0; element < least(kLanes, count); ++element) {
            block[element] = load(from + (first + element) * kLanes);
        }
        transpose(block);
        for (int64_t lane = 0; lane < written; ++lane) {
            if (count < kLanes) {
                store_part(planes[lane] + first, block[lane], count);
            } else {
                store(planes[lane] + first, block[lane]);
            }
        }
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
