// A Cast from 16 to 32 bits in place.
#include "harness.h"

namespace operand_overlap_cast {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<float> wide = room.take<float>(kFloats);
    LocalTensor<half> apart = room.take<half>(kFloats);
    const LocalTensor<half> narrow = Seeded ? wide.ReinterpretCast<half>() : apart;
    load(narrow, global<half>(x), kFloats);
    Cast(wide, narrow, RoundMode::CAST_NONE, kFloats);
    save(global<float>(y), wide, kFloats);
}

SEEDED_DEFECT(kOperandOverlap);

} // namespace operand_overlap_cast
