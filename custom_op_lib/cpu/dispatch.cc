// Picks the strategy and cuts the work into tasks: whole planes, and bands of rows where a plane is large or
// planes are few. A band finds again the winners of the windows that it shares with its neighbours, so that
// no two tasks write one position and the sums keep their order.
#include "float_environment.h"
#include "half.h"
#include "plane.h"
#include "scalar.h"

#include <maxpoolgrad/kernel.h>

#include <algorithm>

namespace maxpoolgrad {
namespace {

constexpr int64_t kTasksPerThread = 4;
constexpr int64_t kBandElements = int64_t{1} << 18; // bounds a task's scratch memory: 1 MiB of float sums

// Rows a task: a whole plane where that is small and planes are many. Never fewer rows than a window has, for
// each band reads up to kernel - stride rows of its neighbours too.
int64_t rows_per_task(int64_t planes, int64_t rows, int64_t width, int64_t kernel, int threads) {
    const int64_t bands = std::max<int64_t>(1, ceil_div(kTasksPerThread * threads, planes));
    const int64_t balanced = threads > 1 ? ceil_div(rows, bands) : rows;
    const int64_t bounded = std::max<int64_t>(1, kBandElements / std::max<int64_t>(1, width));
    return std::min(rows, std::max(kernel, std::min(balanced, bounded)));
}

// Calls body(plane, rows) for every band of every plane.
void for_each_band(int64_t planes, int64_t rows, int64_t band, const Workers& workers,
                   const std::function<void(int64_t, Range)>& body) {
    const int64_t bands = ceil_div(rows, band);
    workers.run(planes * bands, [&](int64_t task) {
        const DefaultFloats floats;
        const int64_t begin = task % bands * band;
        body(task / bands, {begin, std::min(rows, begin + band)});
    });
}

template <class T>
void grad(const Pooling& pooling, const void* orig_input, const void* orig_output, const void* grad,
          void* out_grad, const Workers& workers) {
    const Axis &h = pooling.h, &w = pooling.w;
    if (h.input == 0 || w.input == 0 || pooling.planes() == 0) { // in this order: N times C may overflow
        return;
    }
    if (h.output == 0 || w.output == 0) {
        std::fill_n(static_cast<T*>(out_grad), pooling.planes() * h.input * w.input, T{});
        return;
    }
    const auto plane = [&](auto* tensor, int64_t height, int64_t width, int64_t index) {
        return plane_of(tensor, pooling, height, width, index);
    };
    const int64_t band = rows_per_task(pooling.planes(), h.input, w.input, h.kernel, workers.threads);
    for_each_band(pooling.planes(), h.input, band, workers, [&](int64_t index, Range rows) {
        scalar::grad_rows<T>(pooling, plane(static_cast<const T*>(orig_input), h.input, w.input, index),
                             plane(static_cast<const T*>(orig_output), h.output, w.output, index),
                             plane(static_cast<const T*>(grad), h.output, w.output, index),
                             plane(static_cast<T*>(out_grad), h.input, w.input, index), rows);
    });
}

template <class T>
void forward(const Pooling& pooling, const void* input, void* output, const Workers& workers) {
    const Axis &h = pooling.h, &w = pooling.w;
    if (h.output == 0 || w.output == 0 || pooling.planes() == 0) {
        return;
    }
    const int64_t band = rows_per_task(pooling.planes(), h.output, w.output, 1, workers.threads);
    for_each_band(pooling.planes(), h.output, band, workers, [&](int64_t index, Range rows) {
        scalar::forward_rows<T>(pooling,
                                plane_of(static_cast<const T*>(input), pooling, h.input, w.input, index),
                                plane_of(static_cast<T*>(output), pooling, h.output, w.output, index), rows);
    });
}

} // namespace

void max_pool_v3_grad(const Pooling& pooling, Dtype dtype, const void* orig_input, const void* orig_output,
                      const void* grad_values, void* out_grad, const Workers& workers) {
    if (dtype == Dtype::kFloat16) {
        grad<Half>(pooling, orig_input, orig_output, grad_values, out_grad, workers);
    } else {
        grad<float>(pooling, orig_input, orig_output, grad_values, out_grad, workers);
    }
}

void max_pool_v3(const Pooling& pooling, Dtype dtype, const void* input, void* output,
                 const Workers& workers) {
    if (dtype == Dtype::kFloat16) {
        forward<Half>(pooling, input, output, workers);
    } else {
        forward<float>(pooling, input, output, workers);
    }
}

} // namespace maxpoolgrad
