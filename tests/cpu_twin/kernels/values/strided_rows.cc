// Every other row of 32 B in, and out again the other way round.
#include "harness.h"

namespace strided_rows {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), DataCopyParams(64, 1, 1, 0));
    DataCopy(a[1024], global<half>(x)[16], DataCopyParams(64, 1, 1, 0));
    flag<HardEvent::MTE2_MTE3>();
    DataCopyPad(global<half>(y)[16], a, DataCopyExtParams(64, 32, 0, 32, 0));
    DataCopyPad(global<half>(y), a[1024], DataCopyExtParams(64, 32, 0, 32, 0));
}

COMPUTED_VALUES();

} // namespace strided_rows
