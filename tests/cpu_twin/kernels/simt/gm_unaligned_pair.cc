// Pairs of half that begin on an odd place.
#include "simt.h"

namespace gm_unaligned_pair {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void copy(__gm__ half* x, __gm__ half* y) {
    constexpr uint32_t kBegin = Seeded ? 1 : 2;
    if (threadIdx.x < kBegin) {
        asc_stcg(y + threadIdx.x, asc_ldca(x + threadIdx.x));
    }
    for (uint32_t i = kBegin + 2 * threadIdx.x; i < kHalves; i += 2 * blockDim.x) {
        if (i + 1 < kHalves) {
            half2 pair;
            pair.x = asc_ldca(x + i);
            pair.y = asc_ldca(x + i + 1);
            asc_stcg(reinterpret_cast<__gm__ half2*>(y + i), pair);
        } else {
            asc_stcg(y + i, asc_ldca(x + i));
        }
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<copy<Seeded>>(dim3(kThreads), as<half>(x), as<half>(y));
}

SEEDED_SIMT_DEFECT(kGmUnaligned);

} // namespace gm_unaligned_pair
