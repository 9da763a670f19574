// What is left of a share, after more has been taken than there was.
#include "harness.h"

namespace dma_limit_negative_tail {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    const uint32_t total = kBytes, taken = Seeded ? kBytes + 32 : kBytes - 32;
    Room room(2 * kBytes);
    LocalTensor<uint8_t> a = room.take<uint8_t>(kBytes);
    DataCopy(a, global<uint8_t>(x), kBytes);
    flag<HardEvent::MTE2_MTE3>();
    DataCopyPad(global<uint8_t>(y), a, DataCopyExtParams{1, kBytes - 32, 0, 0, 0});
    DataCopyPad(global<uint8_t>(y)[kBytes - 32], a[kBytes - 32],
                DataCopyExtParams{1, total - taken, 0, 0, 0});
}

SEEDED_DEFECT(kDmaLimit);

} // namespace dma_limit_negative_tail
