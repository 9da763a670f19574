// DataCopy of a number of bytes that fills no whole block.
#include "harness.h"

namespace dma_length {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), extra = room.take<half>(64);
    load(a, global<half>(x), kHalves);
    DataCopy(extra, global<half>(x), Seeded ? 20 : 32);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kDmaLength);

} // namespace dma_length
