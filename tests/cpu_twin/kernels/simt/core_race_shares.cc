// The shares of two blocks overlap.
#include "simt.h"

namespace core_race_shares {

__simt_vf__ __launch_bounds__(kThreads) inline void copy(__gm__ float* x, __gm__ float* y, uint32_t begin,
                                                         uint32_t end) {
    for (uint32_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
        asc_stcg(y + i, asc_ldca(x + i));
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    const uint32_t share = kFloats / GetBlockNum();
    const uint32_t begin = share * GetBlockIdx();
    const uint32_t end = begin + share + (Seeded && GetBlockIdx() == 0 ? 1 : 0);
    asc_vf_call<copy>(dim3(kThreads), as<float>(x), as<float>(y), begin, end);
}

SEEDED_SIMT_DEFECT(kCoreRace, 2);

} // namespace core_race_shares
