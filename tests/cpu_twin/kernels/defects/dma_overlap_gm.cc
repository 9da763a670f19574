// Two transfers into one place of global memory, without a barrier.
#include "harness.h"

namespace dma_overlap_gm {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    save(global<half>(y), a, kHalves);
    if (!Seeded) {
        PipeBarrier<PIPE_MTE3>();
    }
    DataCopy(global<half>(y)[32], a, 64);
}

SEEDED_DEFECT(kDmaOverlap);

} // namespace dma_overlap_gm
