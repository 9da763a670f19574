// Cuts the work into tasks: whole planes first, and bands of rows where a plane is large or planes are few. A
// band finds again the winners of the windows that it shares with its neighbours, so that no two tasks write
// one position and the sums keep their order.
#include "float_environment.h"
#include "half.h"
#include "plan.h"
#include "plane.h"
#include "scalar.h"
#include "scratch.h"

#include <maxpoolgrad/kernel.h>

#include <algorithm>

namespace maxpoolgrad {
namespace {

constexpr int64_t kTasksPerThread = 4;
constexpr int64_t kBandElements = int64_t{1} << 18; // bounds a task's scratch memory: 1 MiB of float sums
constexpr int64_t kRowsPerShared = 8; // a band of fewer rows finds too many of its neighbours' winners again
constexpr int64_t kSmallWork = int64_t{1} << 19; // steps that are done before a second thread has woken up

constexpr double kFewSteps = 512; // that the specification has done before a strategy for channels has begun

// The units (planes, or groups of them) and rows of one task.
struct Cut {
    int64_t units, rows;
};

// Rows a task: a whole plane where that is small and planes are many. Never fewer rows than a window has, for
// each band reads up to kernel - stride rows of its neighbours too.
int64_t rows_per_task(int64_t planes, int64_t rows, int64_t width, int64_t kernel, int threads) {
    const int64_t bands = std::max<int64_t>(1, ceil_div(kTasksPerThread * threads, planes));
    const int64_t balanced = threads > 1 ? ceil_div(rows, bands) : rows;
    const int64_t bounded = std::max<int64_t>(1, kBandElements / std::max<int64_t>(1, width));
    return std::min(rows, std::max(kernel, std::min(balanced, bounded)));
}

// One task for one thread and for little work; else units first, and bands of rows where units are few.
Cut cut_of(const FastPart& part, int threads) {
    const FastAxis &h = part.job.h, &w = part.job.w;
    const int64_t row_steps = w.input * part.planes_each * (h.kernel + w.kernel);
    const double steps = static_cast<double>(row_steps) * static_cast<double>(part.job.groups * h.input);
    if (threads <= 1 || steps < static_cast<double>(kSmallWork)) {
        return {part.job.groups, h.input};
    }
    const int64_t tasks = kTasksPerThread * threads;
    const int64_t wanted = std::max<int64_t>(1, ceil_div(tasks, part.job.groups));
    const int64_t shared = 2 * std::max<int64_t>(0, h.kernel - h.stride); // rows that two bands both look at
    const bool costly = part.job.groups >= threads && ceil_div(h.input, wanted) < kRowsPerShared * shared;
    const int64_t bands = costly ? 1 : wanted;
    const int64_t rows = std::max(2 * h.kernel, ceil_div(h.input, bands));
    return {ceil_div(part.job.groups, tasks), std::min(h.input, ceil_div(rows, 2 * h.stride) * 2 * h.stride)};
}

// Calls body(units, rows) for every task of the cut.
void for_each_task(int64_t units, int64_t rows, Cut cut, const Workers& workers,
                   const std::function<void(Range, Range)>& body) {
    const int64_t bands = ceil_div(rows, cut.rows);
    const auto task = [&](int64_t index) {
        const DefaultFloats floats;
        const int64_t unit = index / bands * cut.units, row = index % bands * cut.rows;
        body({unit, std::min(units, unit + cut.units)}, {row, std::min(rows, row + cut.rows)});
    };
    const int64_t tasks = ceil_div(units, cut.units) * bands;
    if (tasks == 1) {
        task(0);
    } else {
        workers.run(tasks, task);
    }
}

template <class T>
void scalar_rows(const Pooling& pooling, const GradTensors& tensors, int64_t plane, Range rows) {
    const Axis &h = pooling.h, &w = pooling.w;
    const auto at = [&](auto* tensor, int64_t height, int64_t width) {
        return plane_of(tensor, pooling, height, width, plane);
    };
    scalar::grad_rows<T>(pooling, at(static_cast<const T*>(tensors.orig_input), h.input, w.input),
                         at(static_cast<const T*>(tensors.orig_output), h.output, w.output),
                         at(static_cast<const T*>(tensors.grad), h.output, w.output),
                         at(static_cast<T*>(tensors.out_grad), h.input, w.input), rows);
}

template <class T>
void scalar_grad(const Pooling& pooling, const GradTensors& tensors, const Workers& workers) {
    const Axis &h = pooling.h, &w = pooling.w;
    const int64_t band = rows_per_task(pooling.planes(), h.input, w.input, h.kernel, workers.threads);
    for_each_task(pooling.planes(), h.input, {1, band}, workers,
                  [&](Range planes, Range rows) { scalar_rows<T>(pooling, tensors, planes.begin, rows); });
}

// What the strategies cannot tell, by the specification.
template <class T>
struct ScalarRedo {
    const Pooling& pooling;
    const GradTensors& tensors;
    const FastPart& part;

    static void call(void* context, int64_t group, int64_t begin, int64_t end) {
        const auto& [pooling, tensors, part] = *static_cast<const ScalarRedo*>(context);
        const int64_t groups = part.job.groups_per_image;
        const int64_t first =
            group / groups * pooling.channels + part.first_plane + group % groups * part.planes_each;
        const int64_t band = rows_per_task(1, end - begin, pooling.w.input, pooling.h.kernel, 1);
        for (int64_t plane = first; plane < first + part.planes_each; ++plane) {
            for (int64_t row = begin; row < end; row += band) {
                scalar_rows<T>(pooling, tensors, plane, {row, std::min(end, row + band)});
            }
        }
    }
};

template <class T>
void fast_grad(const Pooling& pooling, const FastPart& part, const GradTensors& tensors,
               const Workers& workers) {
    ScalarRedo<T> scalar{pooling, tensors, part};
    const Redo redo{&ScalarRedo<T>::call, &scalar};
    for_each_task(part.job.groups, part.job.h.input, cut_of(part, workers.threads), workers,
                  [&](Range groups, Range rows) {
                      part.strategy(part.job, groups.begin, groups.end, rows.begin, rows.end,
                                    thread_scratch(part.scratch), redo);
                  });
}

// Whether the specification takes few steps, on channels that fill no vector.
bool takes_few_steps(const Pooling& pooling) {
    const Axis &h = pooling.h, &w = pooling.w;
    const auto product = [](int64_t a, int64_t b) { return static_cast<double>(a) * static_cast<double>(b); };
    const double taps = product(std::min(h.kernel, h.input), std::min(w.kernel, w.input));
    const double plane = product(h.input, w.input) + product(h.output, w.output) * taps;
    return pooling.format == DataFormat::kNhwc && pooling.channels > 1 && pooling.channels < 4 &&
           plane * product(pooling.batch, pooling.channels) <= kFewSteps;
}

template <class T>
void grad(const Pooling& pooling, Dtype dtype, const GradTensors& tensors, const Workers& workers,
          Target target) {
    const Axis &h = pooling.h, &w = pooling.w;
    if (h.input == 0 || w.input == 0 || pooling.planes() == 0) { // in this order: N times C may overflow
        return;
    }
    if (covered_windows(h).axis.output == 0 || covered_windows(w).axis.output == 0) {
        std::fill_n(static_cast<T*>(tensors.out_grad), pooling.planes() * h.input * w.input, T{});
        return;
    }
    if (target == Target::kScalar || takes_few_steps(pooling)) {
        scalar_grad<T>(pooling, tensors, workers);
        return;
    }
    for (const FastPart& part : fast_parts(pooling, dtype, target, tensors)) {
        fast_grad<T>(pooling, part, tensors, workers);
    }
}

template <class T>
void forward(const Pooling& pooling, const void* input, void* output, const Workers& workers) {
    const Axis &h = pooling.h, &w = pooling.w;
    if (h.output == 0 || w.output == 0 || pooling.planes() == 0) {
        return;
    }
    const int64_t band = rows_per_task(pooling.planes(), h.output, w.output, 1, workers.threads);
    for_each_task(pooling.planes(), h.output, {1, band}, workers, [&](Range planes, Range rows) {
        scalar::forward_rows<T>(
            pooling, plane_of(static_cast<const T*>(input), pooling, h.input, w.input, planes.begin),
            plane_of(static_cast<T*>(output), pooling, h.output, w.output, planes.begin), rows);
    });
}

} // namespace

void max_pool_v3_grad(const Pooling& pooling, Dtype dtype, const void* orig_input, const void* orig_output,
                      const void* grad_values, void* out_grad, const Workers& workers, Target target) {
    const GradTensors tensors{orig_input, orig_output, grad_values, out_grad};
    if (dtype == Dtype::kFloat16) {
        grad<Half>(pooling, dtype, tensors, workers, target);
    } else {
        grad<float>(pooling, dtype, tensors, workers, target);
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
