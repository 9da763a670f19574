// Compare ignores its mask and packs its bits, whatever the strides of its sources.
#include "harness.h"

namespace compare_mask {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kBytes);
    load(a, global<half>(x), kHalves);
    Duplicate(bits.ReinterpretCast<uint16_t>(), uint16_t(0), kHalves);
    PipeBarrier<PIPE_V>();
    // Repeats of even blocks against repeats of odd ones.
    Compare(bits, a, a[16], CMPMODE::GT, 1, 8, {1, 2, 2, 8, 16, 16});
    save(global<uint8_t>(y), bits, kBytes);
}

COMPUTED_VALUES();

} // namespace compare_mask
