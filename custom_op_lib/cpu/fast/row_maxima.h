// Along a row: each window's maximum, NaN left out, and its first tap.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// K and S are 0 where only known at run time.
template <int K, int S>
inline void row_maxima(const float* packed, float* maxima, int32_t* taps, const Layout& at) {
    const int kernel = K > 0 ? K : static_cast<int>(at.kernel);
    const int stride = S > 0 ? S : static_cast<int>(at.stride);
    const Floats lowest = splat(-__builtin_inff());
    for (int64_t i = 0; i < at.windows; i += kLanes) {
        Floats best = greatest(load(packed + i), lowest);
        Ints first = splat(int32_t{0});
        const float* from = packed + i;
        int phase = 0;
        for (int tap = 1; tap < kernel; ++tap) {
            from += at.phase;
            if (++phase == stride) {
                phase = 0;
                from += at.group - stride * at.phase;
            }
            const Floats x = load(from);
            first = pick(greater(x, best), splat(int32_t{tap}), first);
            best = greatest(x, best);
        }
        store(maxima + i, best);
        store(taps + i, first);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
