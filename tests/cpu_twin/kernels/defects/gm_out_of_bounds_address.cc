// A global tensor whose own address leaves its tensor, with the tensor behind it in memory.
#include "harness.h"

namespace gm_out_of_bounds_address {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    LocalTensor<half> extra = room.take<half>(16);
    DataCopy(extra, global<half>(x + (Seeded ? kBytes : 0)), 16);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kGmOutOfBounds);

} // namespace gm_out_of_bounds_address
