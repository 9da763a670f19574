// The workspace as the kernel gets it, without GetUserWorkspace: its beginning belongs to the system.
#include "simt.h"

namespace system_workspace {

__simt_vf__ __launch_bounds__(kFloats) inline void reverse(__gm__ float* x, __gm__ float* y,
                                                           __gm__ float* room) {
    room[threadIdx.x] = x[threadIdx.x];
    asc_syncthreads();
    y[kFloats - 1 - threadIdx.x] = room[threadIdx.x];
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GM_ADDR room = Seeded ? workspace : GetUserWorkspace(workspace);
    asc_vf_call<reverse>(dim3(kFloats), as<float>(x), as<float>(y), as<float>(room));
}

SEEDED_SIMT_DEFECT(kSystemWorkspace);

} // namespace system_workspace
