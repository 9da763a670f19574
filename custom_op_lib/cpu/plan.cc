#include "plan.h"

#include <algorithm>

namespace maxpoolgrad {
namespace {

constexpr int64_t kScratchFloats = int64_t{96} << 10; // of rows, a thread: within a second-level cache
constexpr int64_t kStreamBytes = int64_t{4} << 20;    // an out_grad from here on does not stay in the caches

const void* forward_by(const void* pointer, int64_t elements, int64_t size) {
    return static_cast<const char*>(pointer) + elements * size;
}

// Channels [first, first + count) of every image, `count` side by side.
FastPart nhwc_part(const Pooling& pooling, const FastJob& whole, int64_t first, int64_t group, int64_t count,
                   int64_t size) {
    FastPart part{};
    part.job = whole;
    part.job.orig_input = forward_by(whole.orig_input, first, size);
    part.job.orig_output = forward_by(whole.orig_output, first, size);
    part.job.grad = forward_by(whole.grad, first, size);
    part.job.out_grad = const_cast<void*>(forward_by(whole.out_grad, first, size));
    part.job.group = group;
    part.job.groups_per_image = count / group;
    part.job.large.group_step = group;
    part.job.small.group_step = group;
    part.job.groups = pooling.batch * part.job.groups_per_image;
    part.planes_each = group;
    part.first_plane = first;
    return part;
}

FastPart nchw_part(const Pooling& pooling, const FastJob& whole) {
    FastPart part{};
    part.job = whole;
    part.job.group = 1;
    part.job.groups_per_image = pooling.channels;
    part.job.large.group_step = pooling.h.input * pooling.w.input;
    part.job.small.group_step = pooling.h.output * pooling.w.output;
    part.job.groups = pooling.planes();
    part.planes_each = 1;
    return part;
}

// As many channels side by side as keep the rows in the second-level cache: all, or a multiple of 32.
int64_t group_of(const Pooling& pooling, Dtype dtype, Target target, FastJob job) {
    job.group = pooling.channels;
    if (choose(target, job, dtype).scratch <= kScratchFloats) {
        return pooling.channels;
    }
    const int64_t rows = 4 * (pooling.h.kernel + pooling.h.stride);
    const int64_t fitting =
        kScratchFloats / std::max<int64_t>(1, rows * std::max<int64_t>(1, pooling.w.output));
    return std::min(pooling.channels, std::max<int64_t>(32, fitting / 32 * 32));
}

constexpr int64_t kManyChannels = 8; // fewer fill too little of a vector

// Whether planes have one position and one window: both data formats are the same then.
bool is_pixel(const Pooling& pooling) {
    const Axis &h = pooling.h, &w = pooling.w;
    return h.input == 1 && w.input == 1 && h.output == 1 && w.output == 1 &&
           pooling.channels >= kManyChannels;
}

// An axis with one window has no stride: the positions that it covers are a window without padding, as far
// from the next one as along the other axis where that makes it a window of a usual kind.
void simplify(FastAxis& axis, const FastAxis& other) {
    if (axis.output != 1 || axis.pad >= axis.kernel) {
        return;
    }
    axis.kernel = std::min(axis.input, axis.kernel - axis.pad);
    axis.pad = 0;
    // No strategy expects a stride and more behind the last window.
    const bool alike = axis.kernel == other.kernel && axis.input < axis.kernel + other.stride;
    axis.stride = alike ? other.stride : axis.stride;
}

} // namespace

// Where windows stand further apart than they are wide, one that covers nothing may stay: it is told by the
// specification, and the padding that is left is never negative.
Covered covered_windows(const Axis& axis) {
    const int64_t beyond = std::max<int64_t>(0, floor_div(axis.pad - axis.kernel, axis.stride) + 1);
    const int64_t skipped = std::min(beyond, axis.pad / axis.stride);
    const int64_t end = std::min(axis.output, ceil_div(axis.input + axis.pad, axis.stride));
    return {{axis.input, std::max<int64_t>(0, end - skipped), axis.kernel, axis.stride,
             axis.pad - skipped * axis.stride},
            skipped};
}

std::vector<FastPart> fast_parts(const Pooling& pooling, Dtype dtype, Target target,
                                 const GradTensors& tensors) {
    const int64_t size = dtype == Dtype::kFloat16 ? 2 : 4;
    const bool nhwc = pooling.format == DataFormat::kNhwc || is_pixel(pooling);
    const int64_t pixel = nhwc ? pooling.channels : 1;
    const Covered h = covered_windows(pooling.h), w = covered_windows(pooling.w);
    const int64_t skipped = (h.skipped * pooling.w.output + w.skipped) * pixel;
    FastJob whole{};
    whole.orig_input = tensors.orig_input;
    whole.out_grad = tensors.out_grad;
    whole.orig_output = forward_by(tensors.orig_output, skipped, size);
    whole.grad = forward_by(tensors.grad, skipped, size);
    const auto steps = [&](int64_t height, int64_t width) {
        return FastTensor{pooling.channels * height * width, 0, width * pixel, pixel};
    };
    whole.large = steps(pooling.h.input, pooling.w.input);
    whole.small = steps(pooling.h.output, pooling.w.output);
    whole.h = h.axis;
    whole.w = w.axis;
    simplify(whole.h, w.axis);
    simplify(whole.w, whole.h);
    const bool even = reinterpret_cast<uintptr_t>(tensors.out_grad) % static_cast<uintptr_t>(size) == 0;
    whole.stream = even && pooling.planes() * pooling.h.input * pooling.w.input * size >= kStreamBytes;

    std::vector<FastPart> parts;
    if (!nhwc) {
        parts.push_back(nchw_part(pooling, whole));
    } else {
        const int64_t group = group_of(pooling, dtype, target, whole);
        const int64_t whole_groups = pooling.channels / group * group;
        parts.push_back(nhwc_part(pooling, whole, 0, group, whole_groups, size));
        if (whole_groups < pooling.channels) {
            const int64_t rest = pooling.channels - whole_groups;
            parts.push_back(nhwc_part(pooling, whole, whole_groups, rest, rest, size));
        }
    }
    for (FastPart& part : parts) {
        const FastChoice choice = choose(target, part.job, dtype);
        part.strategy = choice.run;
        part.scratch = choice.scratch;
    }
    return parts;
}

} // namespace maxpoolgrad
