// More threads than a block can have.
#include "simt.h"

namespace thread_count {

__simt_vf__ inline void copy(__gm__ half* x, __gm__ half* y) {
    const uint32_t i = threadIdx.y * blockDim.x + threadIdx.x;
    if (i < kHalves) {
        y[i] = x[i];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<copy>(dim3(64, Seeded ? 33 : 32), as<half>(x), as<half>(y));
}

SEEDED_SIMT_DEFECT(kThreadCount);

} // namespace thread_count
