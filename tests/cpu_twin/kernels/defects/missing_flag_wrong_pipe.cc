// A flag, but between other pipes than those that meet.
#include "harness.h"

namespace missing_flag_wrong_pipe {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), kHalves);
    if (Seeded) {
        flag<HardEvent::MTE2_MTE3>();
    } else {
        flag<HardEvent::MTE2_V>();
    }
    Adds(b, a, half(1), kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_wrong_pipe
