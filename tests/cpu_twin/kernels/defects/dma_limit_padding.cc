// More padding on a side than 32 B.
#include "harness.h"

namespace dma_limit_padding {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), extra = room.take<half>(64);
    load(a, global<half>(x), kHalves);
    DataCopyPad(extra, global<half>(x), DataCopyExtParams(1, 24, 0, 0, 0),
                DataCopyPadExtParams<half>(true, 0, Seeded ? 20 : 4, half(0)));
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kDmaLimit);

} // namespace dma_limit_padding
