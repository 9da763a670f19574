// Lanes by a mask of bits, by the first lanes, by the mask register, and by the register's count.
#include "harness.h"

namespace masks {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    Duplicate(a, half(0), kHalves);
    PipeBarrier<PIPE_V>();
    const uint64_t even[2] = {0x5555555555555555u, 0x5555555555555555u};
    Duplicate(a, half(1), even, 2, 1, 8);
    Duplicate(a[256], half(2), 5, 2, 1, 8);
    SetVectorMask<half>(0, 0xff00);
    Duplicate<half, false>(a[512], half(3), MASK_PLACEHOLDER, 2, 1, 8);
    SetMaskCount();
    SetVectorMask<half, MaskMode::COUNTER>(0, 200);
    Duplicate<half, false>(a[768], half(4), MASK_PLACEHOLDER, 1, 1, 8);
    SetMaskNorm();
    ResetMask();
    Duplicate(a[1024], half(5), 128, 2, 2, 16);
    save(global<half>(y), a, kHalves);
}

COMPUTED_VALUES();

} // namespace masks
