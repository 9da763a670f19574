// A transfer brings more than its tensor holds.
#include "harness.h"

namespace ub_out_of_bounds_dma {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> small = room.take<half>(64);
    LocalTensor<half> all = room.take<half>(kHalves);
    load(small, global<half>(x), Seeded ? 80 : 64);
    load(all, global<half>(x), kHalves);
    save(global<half>(y), all, kHalves);
}

SEEDED_DEFECT(kUbOutOfBounds);

} // namespace ub_out_of_bounds_dma
