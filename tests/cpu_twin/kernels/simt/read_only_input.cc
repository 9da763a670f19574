// A thread marks what it has taken, in the input.
#include "simt.h"

namespace read_only_input {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void take(__gm__ float* x, __gm__ float* y) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        y[i] = x[i];
        if (Seeded && i == 77) {
            x[i] = 0.0f;
        }
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<take<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kReadOnly);

} // namespace read_only_input
