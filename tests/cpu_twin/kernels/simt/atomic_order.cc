// Float sums by atomics: right but for their last bits, which change from run to run.
#include "simt.h"

namespace atomic_order {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void sums(__gm__ float* x, __gm__ float* y) {
    constexpr uint32_t kEach = 4;
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        y[i] = 0.0f;
    }
    asc_syncthreads();
    for (uint32_t i = threadIdx.x; i < kFloats / kEach; i += blockDim.x) {
        float sum = 0.0f;
        for (uint32_t j = 0; j < kEach; ++j) {
            if (Seeded) {
                asc_atomic_add(y + i, x[i * kEach + j]);
            } else {
                sum += x[i * kEach + j];
            }
        }
        if (!Seeded) {
            y[i] = sum;
        }
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<sums<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kAtomicOrder);

} // namespace atomic_order
