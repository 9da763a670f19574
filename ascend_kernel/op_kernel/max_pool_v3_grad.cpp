// The kernel's entry for every product. CANN compiles it once for each dtype, with DTYPE_ORIG_INPUT as half
// or float.
#include "kernel_operator.h"

#if __NPU_ARCH__ == 3510
#include "arch35/max_pool_v3_grad.h"
#else
#include "arch22/max_pool_v3_grad.h"
#endif

extern "C" __global__ __aicore__ void max_pool_v3_grad(GM_ADDR orig_input, GM_ADDR orig_output, GM_ADDR grad,
                                                       GM_ADDR out_grad, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    (void)workspace;
#if __NPU_ARCH__ == 3510
    using T = DTYPE_ORIG_INPUT;
    REGISTER_TILING_DEFAULT(maxpoolgrad::arch35::Tiling);
    GET_TILING_DATA_WITH_STRUCT(maxpoolgrad::arch35::Tiling, plan, tiling);
    if (TILING_KEY_IS(3501)) {
        maxpoolgrad::arch35::run<T, int32_t>(orig_input, orig_output, grad, out_grad, plan);
    } else if (TILING_KEY_IS(3502)) {
        maxpoolgrad::arch35::run<T, int64_t>(orig_input, orig_output, grad, out_grad, plan);
    }
#else
    using namespace maxpoolgrad::arch22;
    using T = DTYPE_ORIG_INPUT;
    REGISTER_TILING_DEFAULT(maxpoolgrad::arch22::Tiling);
    GET_TILING_DATA_WITH_STRUCT(Tiling, plan, tiling);
    Kernel<T> kernel(plan, orig_input, orig_output, grad, out_grad);
    if (TILING_KEY_IS(2200)) {
        kernel.zeros();
    } else if (TILING_KEY_IS(2201)) {
        kernel.zeros();
    } else if (TILING_KEY_IS(2210)) {
        kernel.search(false);
    } else if (TILING_KEY_IS(2211)) {
        kernel.search(true);
    } else if (TILING_KEY_IS(2220)) {
        kernel.template taps<Nchw<T>>();
    } else if (TILING_KEY_IS(2221)) {
        kernel.template taps<Nhwc<T>>();
    } else if (TILING_KEY_IS(2230)) {
        kernel.template separable<Nchw<T>>();
    } else if (TILING_KEY_IS(2231)) {
        kernel.template separable<Nhwc<T>>();
    } else if (TILING_KEY_IS(2240)) {
        kernel.template running<Nchw<T>>();
    } else if (TILING_KEY_IS(2241)) {
        kernel.template running<Nhwc<T>>();
    }
#endif
}
