// Positions that receive nothing, or nothing yet.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class T>
inline void set_zero(T* to, int64_t count) {
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        store(to + i, Floats{});
    }
    if (i < count) {
        store_part(to + i, Floats{}, count - i);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
