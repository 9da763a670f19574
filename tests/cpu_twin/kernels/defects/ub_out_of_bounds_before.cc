// An index below 0 wraps to an address before its tensor.
#include "harness.h"

namespace ub_out_of_bounds_before {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> first = room.take<half>(16), a = room.take<half>(kHalves);
    load(first, global<half>(x), 16);
    load(a, global<half>(x), kHalves);
    Adds(a[Seeded ? static_cast<uint32_t>(-16) : 0], a, half(0), 16);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUbOutOfBounds);

} // namespace ub_out_of_bounds_before
