// Two strided transfers whose rows are wider than the distance between them.
#include "harness.h"

namespace dma_overlap_rows {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    flag<HardEvent::V_MTE3>();
    constexpr uint32_t row = 64;
    const DataCopyExtParams even(kBytes / row / 2, row + (Seeded ? 2 : 0), 0, row - (Seeded ? 2 : 0), 0);
    const DataCopyExtParams odd(kBytes / row / 2, row, 0, row, 0);
    DataCopyPad(global<half>(y), a, even);
    DataCopyPad(global<half>(y)[row / 2], a, odd);
}

SEEDED_DEFECT(kDmaOverlap);

} // namespace dma_overlap_rows
