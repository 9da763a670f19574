// Reduces an axis to the windows and taps that touch a position.
#pragma once

#include "../tiling.h"

#include <maxpoolgrad/geometry.h>

#include <algorithm>
#include <cstdint>

namespace maxpoolgrad::arch22 {

// Windows that lie in padding alone are left out, and so are taps that do so in every window. `windows` is 0
// where no window touches a position.
inline Axis reduced_axis(const maxpoolgrad::Axis& axis) {
    const int64_t input = axis.input, stride = axis.stride;
    Axis out{input, axis.output, 0, 0, axis.kernel, stride, axis.pad, 1, 0};
    if (input <= 0 || axis.output <= 0) {
        return out;
    }
    out.first = std::max<int64_t>(0, floor_div(axis.pad - axis.kernel, stride) + 1);
    const int64_t end = std::min(axis.output, floor_div(saturating_add(input - 1, axis.pad), stride) + 1);
    out.windows = std::max<int64_t>(0, end - out.first);
    if (out.windows == 0) {
        return out;
    }
    out.pad = axis.pad - out.first * stride;
    if (out.pad < 0) { // the first window begins behind the first position: one more in front, without any
        --out.first;
        ++out.windows;
        out.pad += stride;
    }
    out.kernel = std::min(axis.kernel, input + out.pad);
    const int64_t idle =
        std::max<int64_t>(0, out.pad - (out.windows - 1) * stride); // taps in front of every row
    out.kernel -= idle;
    out.pad -= idle;
    if (out.windows == 1) {
        out.stride = out.kernel; // nothing overlaps a single window
    }
    out.reach = ceil_div(out.kernel, out.stride);
    out.cells = ceil_div(input + out.pad, out.stride);
    return out;
}

} // namespace maxpoolgrad::arch22
