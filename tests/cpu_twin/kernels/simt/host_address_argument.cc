// The address of a variable of the scalar unit, handed to threads.
#include "simt.h"

namespace host_address_argument {

struct Parameters {
    uint32_t count;
};

__simt_vf__ __launch_bounds__(kThreads) inline void copy(__gm__ float* x, __gm__ float* y, uint32_t count,
                                                         const Parameters* parameters) {
    for (uint32_t i = threadIdx.x; i < (parameters != nullptr ? parameters->count : count); i += blockDim.x) {
        y[i] = x[i];
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    const Parameters parameters{kFloats};
    const Parameters* none = nullptr;
    asc_vf_call<copy>(dim3(kThreads), as<float>(x), as<float>(y), parameters.count,
                      Seeded ? &parameters : none);
}

SEEDED_SIMT_DEFECT(kHostAddress);

} // namespace host_address_argument
