// The kernel's entry as CANN compiles it for the 950, once a dtype.
#include "arch35_kernel.h"

#define DTYPE_ORIG_INPUT half
#define max_pool_v3_grad max_pool_v3_grad_3510_half
#include "max_pool_v3_grad.cpp"
#undef DTYPE_ORIG_INPUT
#undef max_pool_v3_grad

#define DTYPE_ORIG_INPUT float
#define max_pool_v3_grad max_pool_v3_grad_3510_float
#include "max_pool_v3_grad.cpp"

namespace maxpoolgrad::arch35 {

twin::KernelEntry twin_kernel(int64_t element_bytes) {
    return element_bytes == sizeof(half) ? twin::entry<max_pool_v3_grad_3510_half>
                                         : twin::entry<max_pool_v3_grad_3510_float>;
}

} // namespace maxpoolgrad::arch35
