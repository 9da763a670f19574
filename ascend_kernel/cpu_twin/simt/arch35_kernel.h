// The 950's kernel, compiled for the twin.
#pragma once

#include <twin/run.h>

#include <cstdint>

namespace maxpoolgrad::arch35 {

// The kernel for elements of 2 bytes (float16) or 4 bytes (float32); tensors orig_input, orig_output, grad,
// out_grad. Tiling data and key come from plan.h.
twin::KernelEntry twin_kernel(int64_t element_bytes);

} // namespace maxpoolgrad::arch35
