#include "kernels.h"

#include <arch35_kernel.h>
#include <op_kernel/arch22/tiling.h>
#include <op_kernel/arch35/tiling.h>

// op_kernel/max_pool_v3_grad.cpp, compiled once a dtype under these names.
using Entry = void(uint8_t*, uint8_t*, uint8_t*, uint8_t*, uint8_t*, uint8_t*);
extern "C" Entry max_pool_v3_grad_2201_half, max_pool_v3_grad_2201_float;

namespace maxpoolgrad {

twin::KernelEntry kernel_for(int64_t arch, Dtype dtype) {
    if (arch == 3510) {
        return arch35::twin_kernel(dtype == Dtype::kFloat16 ? 2 : 4);
    }
    return dtype == Dtype::kFloat16 ? twin::entry<max_pool_v3_grad_2201_half>
                                    : twin::entry<max_pool_v3_grad_2201_float>;
}

std::string strategy_of(uint64_t tiling_key) {
    switch (tiling_key) {
    case arch35::kNarrowKey: return "gather, 32 bits";
    case arch35::kWideKey: return "gather, 64 bits";
    }
    for (const int64_t format : {arch22::kNchw, arch22::kNhwc}) {
        for (const auto& [strategy, name] : {std::pair{arch22::kZeros, "zeros"},
                                             {arch22::kSearch, "search"},
                                             {arch22::kTaps, "taps"},
                                             {arch22::kSeparable, "separable"},
                                             {arch22::kRunning, "running"}}) {
            if (tiling_key == arch22::tiling_key(strategy, format)) {
                return name;
            }
        }
    }
    return "";
}

} // namespace maxpoolgrad
