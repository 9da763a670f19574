// A thread a window, and windows that overlap: two threads store to one place.
#include "simt.h"

namespace thread_race_overlapping_windows {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void spread(__gm__ float* x, __gm__ float* y) {
    constexpr uint32_t kWindow = kFloats / kThreads;
    const uint32_t begin = threadIdx.x * kWindow;
    const uint32_t end = begin + kWindow + (Seeded ? 1 : 0);
    for (uint32_t i = begin; i < end && i < kFloats; ++i) {
        asc_stcg(y + i, asc_ldca(x + begin));
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<spread<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kThreadRace);

} // namespace thread_race_overlapping_windows
