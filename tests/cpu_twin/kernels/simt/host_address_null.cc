// An optional tensor that is not there.
#include "simt.h"

namespace host_address_null {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void add(__gm__ float* x, __gm__ float* bias,
                                                        __gm__ float* y) {
    for (uint32_t i = threadIdx.x; i < kFloats; i += blockDim.x) {
        y[i] = x[i] + (Seeded || bias != nullptr ? bias[i] : 0.0f);
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<add<Seeded>>(dim3(kThreads), as<float>(x), as<float>(nullptr), as<float>(y));
}

SEEDED_SIMT_DEFECT(kHostAddress);

} // namespace host_address_null
