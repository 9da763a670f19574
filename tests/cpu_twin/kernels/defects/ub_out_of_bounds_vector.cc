// A vector instruction writes past its tensor, into the next one.
#include "harness.h"

namespace ub_out_of_bounds_vector {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves), next = room.take<half>(128);
    load(a, global<half>(x), kHalves);
    Duplicate(next, half(0), 128);
    Adds(b, a, half(0), Seeded ? kHalves + 16 : kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kUbOutOfBounds);

} // namespace ub_out_of_bounds_vector
