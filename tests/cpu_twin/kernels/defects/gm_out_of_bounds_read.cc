// A transfer that reads past the input.
#include "harness.h"

namespace gm_out_of_bounds_read {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), extra = room.take<half>(64);
    load(a, global<half>(x), kHalves);
    DataCopy(extra, global<half>(x)[kHalves - (Seeded ? 48 : 64)], 64);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kGmOutOfBounds);

} // namespace gm_out_of_bounds_read
