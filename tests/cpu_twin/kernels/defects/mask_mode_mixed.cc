// A mask of lanes is given while the mask register counts elements.
#include "harness.h"

namespace mask_mode_mixed {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    SetMaskCount();
    SetVectorMask<half, MaskMode::COUNTER>(0, 100);
    Adds<half, false>(a, a, half(1), MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    if (!Seeded) {
        SetMaskNorm();
    }
    PipeBarrier<PIPE_V>();
    Adds(a, a, half(1), 128, 4, {1, 1, 8, 8});
    SetMaskNorm();
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kMaskMode);

} // namespace mask_mode_mixed
