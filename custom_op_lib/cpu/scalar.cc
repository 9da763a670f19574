#include "scalar.h"

#include "half.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace maxpoolgrad::scalar {
namespace {

struct Position {
    int64_t h, w;
};

// The first position of a window, row by row, that equals `value`; h is -1 where none does. Half compares as
// float: the conversion is exact, so that NaN equals nothing and -0 equals +0.
template <class T>
Position first_equal(Plane<const T> input, Range rows, Range columns, float value) {
    for (int64_t h = rows.begin; h < rows.end; ++h) {
        for (int64_t w = columns.begin; w < columns.end; ++w) {
            if (to_float(input.at(h, w)) == value) {
                return {h, w};
            }
        }
    }
    return {-1, -1};
}

} // namespace

// The sums' order is part of the specification: for each column of windows its own sum, top to bottom, and
// those sums left to right. So one column of windows is summed in `column`, and then added to `total`.
template <class T>
void grad_rows(const Pooling& pooling, Plane<const T> input, Plane<const T> output, Plane<const T> grad,
               Plane<T> out_grad, Range rows) {
    const int64_t height = rows.end - rows.begin;
    const int64_t width = pooling.w.input;
    std::vector<float> total(static_cast<size_t>(height * width), 0.0f);
    std::vector<float> column;
    const Range windows = pooling.h.windows(rows);
    for (int64_t wo = 0; wo < pooling.w.output; ++wo) {
        const Range columns = pooling.w.positions(wo);
        const int64_t covered = columns.end - columns.begin;
        if (covered <= 0) {
            continue;
        }
        column.assign(static_cast<size_t>(height * covered), 0.0f);
        for (int64_t ho = windows.begin; ho < windows.end; ++ho) {
            const float value = to_float(output.at(ho, wo));
            const Position winner = first_equal(input, pooling.h.positions(ho), columns, value);
            if (winner.h >= rows.begin && winner.h < rows.end) {
                column[static_cast<size_t>((winner.h - rows.begin) * covered + winner.w - columns.begin)] +=
                    to_float(grad.at(ho, wo));
            }
        }
        for (int64_t h = 0; h < height; ++h) {
            for (int64_t w = 0; w < covered; ++w) {
                total[static_cast<size_t>(h * width + columns.begin + w)] +=
                    column[static_cast<size_t>(h * covered + w)];
            }
        }
    }
    for (int64_t h = 0; h < height; ++h) {
        for (int64_t w = 0; w < width; ++w) {
            out_grad.at(rows.begin + h, w) = from_float<T>(total[static_cast<size_t>(h * width + w)]);
        }
    }
}

template <class T>
void forward_rows(const Pooling& pooling, Plane<const T> input, Plane<T> output, Range rows) {
    for (int64_t ho = rows.begin; ho < rows.end; ++ho) {
        const Range window_rows = pooling.h.positions(ho);
        for (int64_t wo = 0; wo < pooling.w.output; ++wo) {
            const Range columns = pooling.w.positions(wo);
            float maximum = -std::numeric_limits<float>::infinity();
            for (int64_t h = window_rows.begin; h < window_rows.end; ++h) {
                for (int64_t w = columns.begin; w < columns.end; ++w) {
                    const float value = to_float(input.at(h, w));
                    maximum = value > maximum ? value : maximum; // false for NaN
                }
            }
            output.at(ho, wo) = from_float<T>(maximum);
        }
    }
}

template void grad_rows<float>(const Pooling&, Plane<const float>, Plane<const float>, Plane<const float>,
                               Plane<float>, Range);
template void grad_rows<Half>(const Pooling&, Plane<const Half>, Plane<const Half>, Plane<const Half>,
                              Plane<Half>, Range);
template void forward_rows<float>(const Pooling&, Plane<const float>, Plane<float>, Range);
template void forward_rows<Half>(const Pooling&, Plane<const Half>, Plane<Half>, Range);

} // namespace maxpoolgrad::scalar
