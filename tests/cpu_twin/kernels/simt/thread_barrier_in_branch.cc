// Threads without work return before the barrier that the others wait at.
#include "simt.h"

namespace thread_barrier_in_branch {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kFloats) inline void reverse(__gm__ float* x, __gm__ float* y,
                                                           __gm__ float* middle) {
    if (Seeded && threadIdx.x >= kFloats - 4) {
        y[kFloats - 1 - threadIdx.x] = 0.0f;
        return;
    }
    middle[threadIdx.x] = x[threadIdx.x];
    asc_syncthreads();
    y[kFloats - 1 - threadIdx.x] = asc_ldcg(middle + threadIdx.x);
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<reverse<Seeded>>(dim3(kFloats), as<float>(x), as<float>(y),
                                 as<float>(GetUserWorkspace(workspace)));
}

SEEDED_SIMT_DEFECT(kThreadBarrier);

} // namespace thread_barrier_in_branch
