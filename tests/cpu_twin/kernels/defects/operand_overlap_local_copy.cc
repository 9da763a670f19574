// A row moved up by one block within the unified buffer, in place.
#include "harness.h"

namespace operand_overlap_local_copy {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves + 16), b = room.take<half>(kHalves);
    Duplicate(a, half(0), 16);
    load(a[16], global<half>(x), kHalves);
    if (Seeded) {
        DataCopy(a, a[16], kHalves);
    } else {
        DataCopy(b, a[16], kHalves);
    }
    save(global<half>(y), Seeded ? a : b, kHalves);
}

SEEDED_DEFECT(kOperandOverlap);

} // namespace operand_overlap_local_copy
