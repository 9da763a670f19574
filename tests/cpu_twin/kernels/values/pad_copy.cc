// Five rows of six halves, with one of padding before and two behind each, a block apart.
#include "harness.h"

namespace pad_copy {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    Duplicate(a, half(0), kHalves);
    flag<HardEvent::V_MTE2>();
    DataCopyPad(a, global<half>(x), DataCopyExtParams(5, 12, 20, 1, 0),
                DataCopyPadExtParams<half>(true, 1, 2, half(9)));
    flag<HardEvent::MTE2_MTE3>();
    DataCopy(global<half>(y), a, kHalves);
}

COMPUTED_VALUES();

} // namespace pad_copy
