// What the fast strategies get: plain data without functions, because every target compiles it with other
// instructions and no two of them may share a function.
#pragma once

#include <cstdint>

namespace maxpoolgrad {

// One axis without the windows that lie wholly in padding (but for one, where `stride` is above `kernel`).
struct FastAxis {
    int64_t input, output, kernel, stride, pad;
};

// Groups of `group` channels side by side: a plane of NCHW (group 1), some or all channels of an NHWC image.
// Steps count elements. Group number u begins at u / groups_per_image * image + u % groups_per_image * group
// step, in orig_input and out_grad as in orig_output and grad.
struct FastTensor {
    int64_t image_step, group_step, row_step, pixel_step;
};

struct FastJob {
    const void* orig_input;
    const void* orig_output;
    const void* grad;
    void* out_grad;
    FastTensor large; // orig_input and out_grad
    FastTensor small; // orig_output and grad
    int64_t groups, groups_per_image;
    int64_t group;
    FastAxis h, w;
    bool stream; // out_grad is too large for the caches
};

// Called for a group whose windows a strategy cannot tell: it is to be written again by the specification.
struct Redo {
    void (*call)(void* context, int64_t group, int64_t row_begin, int64_t row_end);
    void* context;
};

// Writes rows [row_begin, row_end) of the groups [begin, end). `scratch` has as many floats as
// FastChoice says and lies on 64 bytes.
using FastStrategy = void (*)(const FastJob& job, int64_t begin, int64_t end, int64_t row_begin,
                              int64_t row_end, float* scratch, const Redo& redo);

// The strategy for a job, and the floats of scratch memory that it needs. None where AVX2 does better than
// the target that was asked.
struct FastChoice {
    FastStrategy run;
    int64_t scratch;
};

// A gradient's bytes as floats, and how to move them: orig_input to out_grad, the other two read.
struct MoveJob {
    const float* orig_input;
    const float* orig_output;
    const float* grad;
    float* out_grad;
    int64_t floats, small_floats;
    bool stream;     // stores past the caches
    bool ahead;      // memory asked for ahead of the loads
    int64_t streams; // places worked on in turn
};

} // namespace maxpoolgrad
