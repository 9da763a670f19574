// A destination that lies a block behind its source.
#include "harness.h"

namespace operand_overlap {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Adds(a[Seeded ? 16 : 0], a, half(1), 128);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kOperandOverlap);

} // namespace operand_overlap
