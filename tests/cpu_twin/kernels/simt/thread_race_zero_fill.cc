// Zeros first, then values by other threads: a barrier must come between them.
#include "simt.h"

namespace thread_race_zero_fill {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kFloats) inline void scatter(__gm__ float* x, __gm__ float* y) {
    y[threadIdx.x] = 0.0f;
    if (!Seeded) {
        asc_syncthreads();
    }
    if (threadIdx.x % 2 == 0) {
        y[kFloats - 1 - threadIdx.x] = x[threadIdx.x];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<scatter<Seeded>>(dim3(kFloats), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kThreadRace);

} // namespace thread_race_zero_fill
