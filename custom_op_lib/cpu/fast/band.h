// A part of the rows as a job of its own.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Rows of out_grad, and the windows and rows of orig_input that tell them.
struct Band {
    int64_t begin, end;
    int64_t window, last_window;
    int64_t row, last_row;
};

inline Band band_of(const FastAxis& h, int64_t begin, int64_t end) {
    Band band{begin, end, 0, 0, 0, 0};
    // Its rows begin at `begin` at the latest.
    band.window = least(h.output, most(0, (begin + h.pad - h.kernel) / h.stride));
    band.last_window = least(h.output, (end - 1 + h.pad) / h.stride + 1);
    band.row = most(0, band.window * h.stride - h.pad);
    const int64_t seen = (band.last_window - 1) * h.stride - h.pad + h.kernel;
    band.last_row = most(end, least(h.input, seen));
    return band;
}

// The band's rows and windows alone.
inline FastAxis axis_of(const FastAxis& h, const Band& band) {
    return {band.last_row - band.row, band.last_window - band.window, h.kernel, h.stride,
            band.row - (band.window * h.stride - h.pad)};
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
