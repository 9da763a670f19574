// Threads read a tile of the unified buffer without waiting for the transfer that brings it.
#include "simt.h"

namespace missing_flag_copy_in {

__simt_vf__ __launch_bounds__(kThreads) inline void twice(__ubuf__ float* tile, __gm__ float* y) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        y[i] = tile[i] * 2.0f;
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room buffers(2 * kBytes);
    LocalTensor<float> tile = buffers.take<float>(kFloats);
    DataCopy(tile, global<float>(x), kFloats);
    if (!Seeded) {
        flag<HardEvent::MTE2_V>();
    }
    asc_vf_call<twice>(dim3(kThreads), reinterpret_cast<__ubuf__ float*>(tile.GetPhyAddr()), as<float>(y));
}

SEEDED_SIMT_DEFECT(kMissingFlag);

} // namespace missing_flag_copy_in
