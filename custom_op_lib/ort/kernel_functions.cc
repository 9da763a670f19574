// The kernel for the Python module, which links this library.
#include <maxpoolgrad/kernel.h>

extern "C" const maxpoolgrad::KernelFunctions* MaxPoolGradKernel() {
    using namespace maxpoolgrad;
    static constexpr KernelFunctions functions = {&process_workers,  &cpu_targets, &chosen_target,
                                                  &max_pool_v3_grad, &max_pool_v3, &move_bytes};
    return &functions;
}
