// A transfer to an address off a block of 32 B.
#include "harness.h"

namespace ub_unaligned_dma {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), extra = room.take<half>(64);
    load(a, global<half>(x), kHalves);
    DataCopy(extra[Seeded ? 4 : 16], global<half>(x), 16);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUbUnaligned);

} // namespace ub_unaligned_dma
