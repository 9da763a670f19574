// Half of a tensor is never written before it is computed with.
#include "harness.h"

namespace uninitialised_ub {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), Seeded ? kHalves / 2 : kHalves);
    Adds(b, a, half(1), kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kUninitialised);

} // namespace uninitialised_ub
