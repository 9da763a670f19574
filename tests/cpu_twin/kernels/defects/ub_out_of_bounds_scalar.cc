// A scalar load from behind its tensor.
#include "harness.h"

namespace ub_out_of_bounds_scalar {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> small = room.take<half>(64);
    load(small, global<half>(x), 64);
    flag<HardEvent::MTE2_S>();
    const half value = small.GetValue(Seeded ? 64 : 63);
    flag<HardEvent::S_V>();
    LocalTensor<half> all = room.take<half>(kHalves);
    Duplicate(all, value, kHalves);
    save(global<half>(y), all, kHalves);
}

SEEDED_DEFECT(kUbOutOfBounds);

} // namespace ub_out_of_bounds_scalar
