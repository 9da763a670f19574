// Threads read from global memory what a transfer is still writing there.
#include "simt.h"

namespace missing_flag_transfer_before {

__simt_vf__ __launch_bounds__(kThreads) inline void copy(__gm__ float* from, __gm__ float* to) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        asc_stcg(to + i, asc_ldcg(from + i));
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room buffers(2 * kBytes);
    LocalTensor<float> tile = buffers.take<float>(kFloats);
    const GlobalTensor<float> kept = global<float>(GetUserWorkspace(workspace));
    DataCopy(tile, global<float>(x), kFloats);
    flag<HardEvent::MTE2_MTE3>();
    DataCopy(kept, tile, kFloats);
    if (!Seeded) {
        flag<HardEvent::MTE3_V>();
    }
    asc_vf_call<copy>(dim3(kThreads), as<float>(GetUserWorkspace(workspace)), as<float>(y));
}

SEEDED_SIMT_DEFECT(kMissingFlag);

} // namespace missing_flag_transfer_before
