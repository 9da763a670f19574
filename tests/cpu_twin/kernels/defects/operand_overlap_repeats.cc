// A repeat reads what the repeat before it has written.
#include "harness.h"

namespace operand_overlap_repeats {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Adds(a[Seeded ? 128 : 0], a, half(1), 128, 4, {1, 1, 8, 8});
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kOperandOverlap);

} // namespace operand_overlap_repeats
