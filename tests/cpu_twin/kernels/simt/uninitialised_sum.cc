// Adds to an output that nobody has set to zero.
#include "simt.h"

namespace uninitialised_sum {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void add(__gm__ float* x, __gm__ float* y) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        if (!Seeded) {
            y[i] = 0.0f;
        }
        y[i] += x[i];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<add<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kUninitialised);

} // namespace uninitialised_sum
