// Windows told tap by tap, as the specification does it: the first tap that equals the window's value takes
// its gradient. An input row is looked at once, for all rows of windows that it belongs to; what is kept of a
// row of windows from one input row to the next is which of them are open: no tap has been equal yet.
#pragma once

#include "../simd/unroll.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// The rows of windows whose tap rows R, R + S, ... an input row is.
template <int K, int S, int R>
constexpr int kOpenRows = (K - 1 - R) / S + 1;

// A vector of windows, those `open`: each tap's sum of gradients gets those that it wins. The first row of
// windows begins the sums.
template <int K, bool first>
[[gnu::always_inline]] inline void win(Mask& open, Floats output, Floats grad, const Floats* taps,
                                       Floats* sums) {
    unroll<K>([&](auto tap) {
        const Mask same = equal_where(open, taps[tap], output);
        sums[tap] = first ? only(same, grad) : add_where(same, sums[tap], grad);
        open = without(open, same);
    });
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
