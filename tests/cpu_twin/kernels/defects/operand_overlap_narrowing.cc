// A Cast from 32 to 16 bits in place.
#include "harness.h"

namespace operand_overlap_narrowing {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<float> wide = room.take<float>(kFloats);
    LocalTensor<half> apart = room.take<half>(kHalves);
    Duplicate(apart, half(0), kHalves);
    load(wide, global<float>(x), kFloats);
    PipeBarrier<PIPE_V>();
    const LocalTensor<half> narrow = Seeded ? wide.ReinterpretCast<half>() : apart;
    Cast(narrow, wide, RoundMode::CAST_RINT, kFloats);
    save(global<half>(y), narrow, kHalves);
}

SEEDED_DEFECT(kOperandOverlap);

} // namespace operand_overlap_narrowing
