// A thread a window writes what its window covers, and nobody the columns behind the last window.
#include "simt.h"

namespace output_not_written {

template <bool Seeded>
__simt_vf__ __launch_bounds__(kThreads) inline void spread(__gm__ float* x, __gm__ float* y) {
    constexpr uint32_t kWindow = 3, kWindows = kFloats / kWindow; // one column is left
    for (uint32_t window = threadIdx.x; window < kWindows; window += blockDim.x) {
        const uint32_t begin = window * kWindow;
        const uint32_t end = !Seeded && window + 1 == kWindows ? kFloats : begin + kWindow;
        for (uint32_t i = begin; i < end; ++i) {
            asc_stcg(y + i, asc_ldca(x + i));
        }
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    asc_vf_call<spread<Seeded>>(dim3(kThreads), as<float>(x), as<float>(y));
}

SEEDED_SIMT_DEFECT(kOutputNotWritten);

} // namespace output_not_written
