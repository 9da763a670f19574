// A gap between blocks that does not fit the 16 bits of DataCopy's parameters.
#include "harness.h"

namespace dma_limit_stride {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), extra = room.take<half>(64);
    load(a, global<half>(x), kHalves);
    const uint32_t gap = Seeded ? 65536 + 2 : 2;
    DataCopy(extra, global<half>(x), DataCopyParams(2, 1, gap, 0));
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kDmaLimit);

} // namespace dma_limit_stride
