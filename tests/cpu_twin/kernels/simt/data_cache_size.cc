// Buffers for all of the unified buffer, so that the threads have no data cache.
#include "simt.h"

namespace data_cache_size {

__simt_vf__ __launch_bounds__(kThreads) inline void copy(__gm__ float* x, __gm__ float* y) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        asc_stcg(y + i, asc_ldca(x + i));
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room buffers((Seeded ? 217 : 216) * 1024);
    asc_vf_call<copy>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kDataCacheSize);

} // namespace data_cache_size
