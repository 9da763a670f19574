// A neighbour that the last thread has not: asc_ldca leaves the input.
#include "simt.h"

namespace gm_read_past_end {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void smooth(__gm__ float* x, __gm__ float* y) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        const uint32_t next = Seeded || i + 1 < kFloats ? i + 1 : i;
        asc_stcg(y + i, asc_ldca(x + i) + asc_ldca(x + next));
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<smooth<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kGmOutOfBounds);

} // namespace gm_read_past_end
