// A factor that the scalar unit has written for the threads is still in its own cache.
#include "simt.h"

namespace dirty_cache_line_scale {

__simt_vf__ __launch_bounds__(kThreads) inline void scale(__gm__ float* x, __gm__ float* factor,
                                                          __gm__ float* y) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        y[i] = x[i] * asc_ldcg(factor);
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GlobalTensor<float> kept = global<float>(GetUserWorkspace(workspace));
    kept.SetValue(0, 2.0f);
    if (!Seeded) {
        DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(kept);
    }
    flag<HardEvent::S_V>();
    asc_vf_call<scale>(dim3(kThreads), as<float>(x), as<float>(GetUserWorkspace(workspace)), as<float>(y));
}

SEEDED_SIMT_DEFECT(kDirtyCacheLine);

} // namespace dirty_cache_line_scale
