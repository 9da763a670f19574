// Both sides of a branch have a barrier, but not the same one.
#include "simt.h"

namespace thread_barrier_two_places {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kFloats) inline void copy(__gm__ float* x, __gm__ float* y) {
    float value = x[threadIdx.x];
    if (Seeded && threadIdx.x < 32) {
        value += 1.0f;
        asc_syncthreads();
    } else {
        asc_syncthreads();
    }
    y[threadIdx.x] = value;
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<copy<Seeded>>(dim3(kFloats), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kThreadBarrier);

} // namespace thread_barrier_two_places
