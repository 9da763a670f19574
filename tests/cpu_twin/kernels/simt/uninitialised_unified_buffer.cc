// A table in the unified buffer of which one entry is never written.
#include "simt.h"

namespace uninitialised_unified_buffer {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void look_up(__gm__ float* y, __ubuf__ float* table) {
    if (!Seeded || threadIdx.x != 9) {
        table[threadIdx.x] = static_cast<float>(threadIdx.x);
    }
    asc_syncthreads();
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        y[i] = table[i % kThreads];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room buffers(kBytes);
    LocalTensor<float> table = buffers.take<float>(kThreads);
    asc_vf_call<look_up<Seeded>>(dim3(kThreads), as<float>(y),
                                 reinterpret_cast<__ubuf__ float*>(table.GetPhyAddr()));
}

SEEDED_SIMT_DEFECT(kUninitialised);

} // namespace uninitialised_unified_buffer
