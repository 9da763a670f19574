// A block adds to its own numbers the first one of the block behind, which that block may have written
// already.
#include "simt.h"

namespace core_race_neighbours_value {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void add_next(__gm__ float* x, __gm__ float* y) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
    asc_syncthreads();
    const bool last = threadIdx.x == blockDim.x - 1;
    const uint32_t next = (i + 1) % (gridDim.x * blockDim.x);
    const float other = last && Seeded ? asc_ldcg(y + next) : asc_ldcg(x + next);
    asc_syncthreads();
    y[i] = x[i] + other;
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<add_next<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kCoreRace, 4);

} // namespace core_race_neighbours_value
