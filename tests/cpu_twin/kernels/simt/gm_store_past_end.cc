// Plain pointers, and one turn too many: threads store behind the output.
#include "simt.h"

namespace gm_store_past_end {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void copy(__gm__ float* x, __gm__ float* y) {
    const uint32_t turns = kFloats / blockDim.x + (Seeded ? 1 : 0);
    for (uint32_t turn = 0; turn < turns; ++turn) {
        const uint32_t i = turn * blockDim.x + threadIdx.x;
        y[i] = x[i < kFloats ? i : 0];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<copy<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kGmOutOfBounds);

} // namespace gm_store_past_end
