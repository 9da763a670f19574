// One channel of one image, seen through its strides: NCHW and NHWC look alike from here.
#pragma once

#include <maxpoolgrad/geometry.h>

#include <cstdint>

namespace maxpoolgrad {

template <class T>
struct Plane {
    T* first;
    int64_t row_step;
    int64_t column_step;

    T& at(int64_t h, int64_t w) const { return first[h * row_step + w * column_step]; }
};

// Plane number `index` (n * C + c) of a contiguous tensor with `height` x `width` positions a plane.
template <class T>
Plane<T> plane_of(T* tensor, const Pooling& pooling, int64_t height, int64_t width, int64_t index) {
    if (pooling.format == DataFormat::kNchw) {
        return {tensor + index * height * width, width, 1};
    }
    const int64_t n = index / pooling.channels;
    const int64_t c = index % pooling.channels;
    return {tensor + n * height * width * pooling.channels + c, width * pooling.channels, pooling.channels};
}

} // namespace maxpoolgrad
