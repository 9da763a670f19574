// Sizes and paddings of one pooling axis, and of a whole pooling: pure arithmetic on int64_t.
//
// Header-only and without dependencies, so that the CPU kernel, the ONNX Runtime library, op_host, the ATC
// plugin and Python all compute the same geometry. No function of sizes overflows: sums saturate, so that an
// absurd padding gives an absurd size, which the contract's checks then refuse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace maxpoolgrad {

enum class PaddingMode { kCalculated, kSame, kValid };
enum class DataFormat { kNchw, kNhwc };

// One axis of the window, as the attributes give it. The padding counts in PaddingMode::kCalculated only.
struct Window {
    int64_t kernel = 1;
    int64_t stride = 1;
    int64_t pad_begin = 0;
    int64_t pad_end = 0;
};

// How output sizes come about, the same for both axes.
struct Rounding {
    PaddingMode mode = PaddingMode::kCalculated;
    bool ceil = false;
};

inline int64_t saturating_add(int64_t a, int64_t b) {
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
    constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
    if (b > 0 && a > kMax - b) {
        return kMax;
    }
    if (b < 0 && a < kMin - b) {
        return kMin;
    }
    return a + b;
}

// Division rounded towards minus infinity; the divisor is positive.
inline int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

// Division rounded towards plus infinity; the divisor is positive.
inline int64_t ceil_div(int64_t a, int64_t b) {
    return a / b + (a % b > 0 ? 1 : 0);
}

// The output size by the mode's formula, before any window is dropped; never below 0.
inline int64_t formula_output(Rounding rounding, int64_t input, const Window& window) {
    int64_t output = 0;
    switch (rounding.mode) {
    case PaddingMode::kValid: output = ceil_div(input - window.kernel + 1, window.stride); break;
    case PaddingMode::kSame: output = ceil_div(input, window.stride); break;
    case PaddingMode::kCalculated: {
        const int64_t padded = saturating_add(saturating_add(input, window.pad_begin), window.pad_end);
        const int64_t room = padded - window.kernel;
        const int64_t steps = rounding.ceil ? ceil_div(room, window.stride) : floor_div(room, window.stride);
        output = saturating_add(steps, 1);
        break;
    }
    }
    return std::max<int64_t>(output, 0);
}

// The output size that the forward operator produces: in ceil mode a last window that begins at or past the
// end of the input is dropped.
inline int64_t forward_output(Rounding rounding, int64_t input, const Window& window) {
    const int64_t output = formula_output(rounding, input, window);
    const bool may_drop = rounding.mode == PaddingMode::kCalculated && rounding.ceil && output > 0;
    const bool beyond = output - 1 >= ceil_div(saturating_add(input, window.pad_begin), window.stride);
    return may_drop && beyond ? output - 1 : output;
}

// Whether the gradient accepts this output size: in ceil mode with the last window dropped, or without.
inline bool legal_output(Rounding rounding, int64_t input, const Window& window, int64_t output) {
    return output == forward_output(rounding, input, window) ||
           output == formula_output(rounding, input, window);
}

// The padding in front of the first element. SAME centres the windows and puts the odd cell at the end.
inline int64_t begin_padding(Rounding rounding, int64_t input, const Window& window) {
    switch (rounding.mode) {
    case PaddingMode::kValid: return 0;
    case PaddingMode::kSame: {
        const int64_t windows = ceil_div(input, window.stride);
        const int64_t total = (windows - 1) * window.stride - input + window.kernel;
        return std::max<int64_t>(total, 0) / 2;
    }
    case PaddingMode::kCalculated: return window.pad_begin;
    }
    return 0;
}

// A half-open range of positions or of windows.
struct Range {
    int64_t begin = 0;
    int64_t end = 0;
};

// One axis of a pooling whose sizes are all known. Window number o covers the positions
// [o * stride - pad, o * stride - pad + kernel), clipped to [0, input). Tensors that have elements bound all
// of its numbers, the padding too, so that nothing here overflows.
struct Axis {
    int64_t input = 0;
    int64_t output = 0;
    int64_t kernel = 1;
    int64_t stride = 1;
    int64_t pad = 0;

    // The positions inside the input that window `o` covers; empty (begin >= end) where it lies in padding.
    Range positions(int64_t o) const {
        const int64_t first = o * stride - pad;
        return {std::max<int64_t>(first, 0), std::min(input, first + kernel)};
    }

    // The windows that touch any position of `rows`.
    Range windows(Range rows) const {
        const int64_t first = floor_div(rows.begin + pad - kernel, stride) + 1;
        const int64_t last = floor_div(rows.end - 1 + pad, stride);
        return {std::max<int64_t>(first, 0), std::min(output, last + 1)};
    }
};

// A pooling whose sizes are all known: what a kernel needs beside the pointers.
struct Pooling {
    DataFormat format = DataFormat::kNchw;
    int64_t batch = 0;
    int64_t channels = 0;
    Axis h;
    Axis w;

    int64_t planes() const { return batch * channels; }
};

} // namespace maxpoolgrad
