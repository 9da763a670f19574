// The operator's kernels, compiled for the twin: one for each arch and dtype.
#pragma once

#include <maxpoolgrad/names.h>
#include <twin/run.h>

#include <cstdint>
#include <string>

namespace maxpoolgrad {

// Tensors orig_input, orig_output, grad, out_grad; tiling data and key come from the plan for this arch.
twin::KernelEntry kernel_for(int64_t arch, Dtype dtype);

// The name of CANN's kernel file and function.
inline constexpr const char* kKernelName = "max_pool_v3_grad";

// What the kernel of a tiling key does, in a word or two; empty for no key of ours.
std::string strategy_of(uint64_t tiling_key);

} // namespace maxpoolgrad
