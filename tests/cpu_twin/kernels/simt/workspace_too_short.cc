// An index a window, of 8 bytes where tiling asked for 4.
#include "simt.h"

namespace workspace_too_short {

template <class Index>
__simt_vf__ __launch_bounds__(kFloats) inline void through(__gm__ float* x, __gm__ float* y,
                                                           __gm__ Index* room) {
    room[threadIdx.x] = static_cast<Index>(threadIdx.x);
    y[threadIdx.x] = x[asc_ldcg(room + threadIdx.x)];
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    using Index = std::conditional_t<Seeded, int64_t, int32_t>;
    asc_vf_call<through<Index>>(dim3(kFloats), as<float>(x), as<float>(y),
                                as<Index>(GetUserWorkspace(workspace)));
}

SEEDED_SIMT_DEFECT(kWorkspaceTooShort);

} // namespace workspace_too_short
