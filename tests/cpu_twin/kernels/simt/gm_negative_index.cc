// A padded window begins in front of the input: a plain load at index -1.
#include "simt.h"

namespace gm_negative_index {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void before(__gm__ float* x, __gm__ float* y) {
    for (int32_t i = threadIdx.x; i < static_cast<int32_t>(kFloats); i += blockDim.x) {
        y[i] = Seeded || i > 0 ? x[i - 1] : 0.0f;
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<before<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kGmOutOfBounds);

} // namespace gm_negative_index
