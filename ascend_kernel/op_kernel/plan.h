// The tiling plan of the operator's kernels, made on the host: pure C++17, without a CANN type. op_host, the
// CPU twin and Python all plan with it.
#pragma once

#include "arch22/plan.h"
#include "arch35/plan.h"

#include <maxpoolgrad/geometry.h>
#include <maxpoolgrad/names.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace maxpoolgrad {

// What the plan has to know of the processor.
struct Machine {
    int64_t arch = 2201; // __NPU_ARCH__: 2201 is A2 and A3, 3510 the 950
    int64_t vector_cores = 48;
    int64_t ub_bytes = 196608 - 256; // of a core's unified buffer, as GetCoreMemSize(UB) gives it
};

// A launch of max_pool_v3_grad. No kernel needs a workspace of its own, SyncAll, or a schedule mode.
struct KernelPlan {
    uint64_t tiling_key = 0;
    uint32_t block_dim = 1;
    std::vector<uint8_t> tiling_data;
    uint32_t local_memory_bytes = 0; // for SetLocalMemorySize, on the 950
    const char* strategy = "";       // for people
};

template <class Data>
KernelPlan kernel_plan(const Data& plan) {
    KernelPlan out{plan.tiling_key, plan.block_dim, std::vector<uint8_t>(sizeof plan.tiling)};
    std::memcpy(out.tiling_data.data(), &plan.tiling, sizeof plan.tiling);
    return out;
}

inline KernelPlan plan_kernel(const Pooling& pooling, Dtype dtype, const Machine& machine) {
    constexpr int64_t kSimtCache =
        128 * 1024; // the largest data cache that the 950 takes off the unified buffer
    const int64_t element_bytes = dtype == Dtype::kFloat16 ? 2 : 4;
    if (machine.arch != 3510) {
        const auto plan = arch22::make_plan(pooling, element_bytes, machine.vector_cores, machine.ub_bytes);
        KernelPlan out = kernel_plan(plan);
        out.strategy = arch22::name_of(plan.tiling.main.strategy);
        return out;
    }
    KernelPlan out = kernel_plan(arch35::make_plan(pooling, element_bytes, machine.vector_cores));
    out.local_memory_bytes = static_cast<uint32_t>(machine.ub_bytes - kSimtCache);
    out.strategy = out.tiling_key == arch35::kWideKey ? "gather, 64 bits" : "gather, 32 bits";
    return out;
}

} // namespace maxpoolgrad
