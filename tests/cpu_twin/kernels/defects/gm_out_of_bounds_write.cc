// A tail written with its padding, past the output.
#include "harness.h"

namespace gm_out_of_bounds_write {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    flag<HardEvent::V_MTE3>();
    DataCopy(global<half>(y), a, kHalves - 16);
    const uint32_t tail = (Seeded ? 17 : 16) * sizeof(half);
    DataCopyPad(global<half>(y)[kHalves - 16], a[kHalves - 16], DataCopyExtParams(1, tail, 0, 0, 0));
}

SEEDED_DEFECT(kGmOutOfBounds);

} // namespace gm_out_of_bounds_write
