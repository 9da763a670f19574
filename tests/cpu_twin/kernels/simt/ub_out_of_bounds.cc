// A row of the tile too many: threads read from the data cache behind the buffers.
#include "simt.h"

namespace ub_out_of_bounds {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void rows(__gm__ float* y, __ubuf__ float* tile) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        tile[i] = 1.0f;
    }
    asc_syncthreads();
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        const uint32_t below = Seeded || i + 32 < kFloats ? i + 32 : i;
        y[i] = tile[i] + tile[below];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room buffers(kBytes);
    LocalTensor<float> tile = buffers.take<float>(kFloats);
    asc_vf_call<rows<Seeded>>(dim3(kThreads), as<float>(y),
                              reinterpret_cast<__ubuf__ float*>(tile.GetPhyAddr()));
}

SEEDED_SIMT_DEFECT(kUbOutOfBounds);

} // namespace ub_out_of_bounds
