// Parameters that the scalar unit writes into the unified buffer, and no barrier before the threads read
// them.
#include "simt.h"

namespace missing_flag_parameters {

__simt_vf__ __launch_bounds__(kThreads) inline void copy(__gm__ float* x, __gm__ float* y,
                                                         __ubuf__ const int32_t* count) {
    for (int32_t i = threadIdx.x; i < *count; i += blockDim.x) {
        y[i] = x[i];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room buffers(kBytes);
    LocalTensor<int32_t> parameters = buffers.take<int32_t>(8);
    parameters.SetValue(0, static_cast<int32_t>(kFloats));
    if (!Seeded) {
        DataSyncBarrier<MemDsbT::UB>();
    }
    asc_vf_call<copy>(dim3(kThreads), as<float>(x), as<float>(y),
                      reinterpret_cast<__ubuf__ const int32_t*>(parameters.GetPhyAddr()));
}

SEEDED_SIMT_DEFECT(kMissingFlag);

} // namespace missing_flag_parameters
