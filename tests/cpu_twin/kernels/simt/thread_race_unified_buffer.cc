// A sum by halves in the unified buffer: each step reads what other threads wrote in the one before.
#include "simt.h"

namespace thread_race_unified_buffer {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void sum(__gm__ float* x, __gm__ float* y,
                                                        __ubuf__ float* room) {
    room[threadIdx.x] = x[threadIdx.x];
    for (uint32_t half = kThreads / 2; half > 0; half /= 2) {
        if (!Seeded || half > 8) {
            asc_syncthreads();
        }
        if (threadIdx.x < half) {
            room[threadIdx.x] += room[threadIdx.x + half];
        }
    }
    asc_syncthreads();
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        y[i] = room[0];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room buffers(kBytes);
    LocalTensor<float> room = buffers.take<float>(kThreads);
    asc_vf_call<sum<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y),
                             reinterpret_cast<__ubuf__ float*>(room.GetPhyAddr()));
}

SEEDED_SIMT_DEFECT(kThreadRace);

} // namespace thread_race_unified_buffer
