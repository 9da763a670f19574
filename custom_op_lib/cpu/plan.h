// How a gradient is cut into tasks, and which strategy runs them.
#pragma once

#include "fast/job.h"
#include "targets.h"

#include <maxpoolgrad/kernel.h>

#include <vector>

namespace maxpoolgrad {

// Groups of planes that one strategy runs through. `first_plane` counts as FastJob does.
struct FastPart {
    FastJob job;
    FastStrategy strategy;
    int64_t planes_each; // planes (channels) a group
    int64_t first_plane; // the first group's, within an image
    int64_t scratch;     // floats
};

// An axis without the windows that lie wholly in padding, and the number of those left out in front.
struct Covered {
    FastAxis axis;
    int64_t skipped;
};

Covered covered_windows(const Axis& axis);

struct GradTensors {
    const void* orig_input;
    const void* orig_output;
    const void* grad;
    void* out_grad;
};

// The parts that make up out_grad. Every axis has windows that cover something.
std::vector<FastPart> fast_parts(const Pooling& pooling, Dtype dtype, Target target,
                                 const GradTensors& tensors);

} // namespace maxpoolgrad
