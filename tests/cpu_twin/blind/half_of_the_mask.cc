// y = x + x under a mask of 64 lanes, written for float and kept when the type became half.
#include "launch.h"

namespace half_of_the_mask {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), out = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    uint64_t mask[2] = {~0ULL, Seeded ? 0 : ~0ULL};
    Add(out, a, a, mask, kHalves / 128, {1, 1, 1, 8, 8, 8});
    save(global<half>(y), out, kHalves);
}

void change(twin::Launch& launch, bool) {
    launch.tensors = {input("x", 4096), output("y", 4096)};
}

SEEDED_DEFECT(kUninitialised, change);

} // namespace half_of_the_mask
