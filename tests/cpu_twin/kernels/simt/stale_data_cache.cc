// Blocks exchange values through the workspace: what a core has read before SyncAll is still in its data
// cache after it, and must be read past the cache.
#include "simt.h"

namespace stale_data_cache {

__simt_vf__ __launch_bounds__(kThreads) inline void fill(__gm__ int32_t* room, int32_t value) {
    room[blockIdx.x * kThreads + threadIdx.x] = value;
}

template <bool Seeded, class Address>
__simt_vf__ __launch_bounds__(kThreads) inline void rotate(Address room, __gm__ int32_t* y) {
    const uint32_t from = (blockIdx.x + 1) % gridDim.x * kThreads + threadIdx.x;
    y[blockIdx.x * kThreads + threadIdx.x] = room[from];
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    __gm__ int32_t* room = as<int32_t>(GetUserWorkspace(workspace));
    using Volatile = __gm__ volatile int32_t*;
    for (int32_t step = 0; step < 2; ++step) {
        asc_vf_call<fill>(dim3(kThreads), room, step * 100 + static_cast<int32_t>(GetBlockIdx()));
        SyncAll();
        if constexpr (Seeded) {
            asc_vf_call<rotate<Seeded, __gm__ int32_t*>>(dim3(kThreads), room, as<int32_t>(y));
        } else {
            asc_vf_call<rotate<Seeded, Volatile>>(dim3(kThreads), static_cast<Volatile>(room),
                                                  as<int32_t>(y));
        }
        SyncAll();
    }
}

SEEDED_SIMT_DEFECT(kStaleCacheLine, kFloats / kThreads);

} // namespace stale_data_cache
