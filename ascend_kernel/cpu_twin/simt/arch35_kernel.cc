// Compiled with -fsanitize=thread, so that plain_access.cc sees every access that is plain C++.
#include "arch35_kernel.h"

#include "arch35/max_pool_v3_grad.h"

namespace maxpoolgrad::arch35 {

namespace {

template <class T>
void kernel(GM_ADDR orig_input, GM_ADDR orig_output, GM_ADDR grad, GM_ADDR out_grad, GM_ADDR,
            GM_ADDR tiling) {
    run<T>(orig_input, orig_output, grad, out_grad, tiling);
}

} // namespace

twin::KernelEntry twin_kernel(int64_t element_bytes) {
    return element_bytes == sizeof(half) ? twin::entry<kernel<half>> : twin::entry<kernel<float>>;
}

} // namespace maxpoolgrad::arch35
