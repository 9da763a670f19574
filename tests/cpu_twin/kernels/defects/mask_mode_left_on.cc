// The mask register still counts elements when the kernel ends.
#include "harness.h"

namespace mask_mode_left_on {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    SetMaskCount();
    SetVectorMask<half, MaskMode::COUNTER>(0, kHalves);
    Adds<half, false>(a, a, half(1), MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    if (!Seeded) {
        SetMaskNorm();
    }
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kMaskMode);

} // namespace mask_mode_left_on
