// Threads fill a tile of the unified buffer; the transfer out does not wait for them.
#include "simt.h"

namespace missing_flag_copy_out {

__simt_vf__ __launch_bounds__(kThreads) inline void fill(__gm__ float* x, __ubuf__ float* tile) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        tile[i] = x[i] * 2.0f;
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room buffers(kBytes);
    LocalTensor<float> tile = buffers.take<float>(kFloats);
    asc_vf_call<fill>(dim3(kThreads), as<float>(x), reinterpret_cast<__ubuf__ float*>(tile.GetPhyAddr()));
    if (!Seeded) {
        flag<HardEvent::V_MTE3>();
    }
    DataCopy(global<float>(y), tile, kFloats);
}

SEEDED_SIMT_DEFECT(kMissingFlag);

} // namespace missing_flag_copy_out
