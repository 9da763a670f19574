// Two transfers into one place of the unified buffer, without a barrier.
#include "harness.h"

namespace dma_overlap_ub {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), kHalves);
    if (!Seeded) {
        PipeBarrier<PIPE_MTE2>();
    }
    DataCopy(a, global<half>(x)[16], 16);
    flag<HardEvent::MTE2_V>();
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kDmaOverlap);

} // namespace dma_overlap_ub
