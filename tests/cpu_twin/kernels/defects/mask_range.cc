// A mask of more lanes than a repeat of floats has.
#include "harness.h"

namespace mask_range {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<float> a = room.take<float>(kFloats);
    Duplicate(a, 1.0f, kFloats);
    PipeBarrier<PIPE_V>();
    Adds(a, a, 1.0f, Seeded ? 128 : 64, 2, {1, 1, 8, 8});
    save(global<float>(y), a, kFloats);
}

SEEDED_DEFECT(kMaskRange);

} // namespace mask_range
