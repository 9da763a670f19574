// A flag is set again before anybody has waited for it.
#include "harness.h"

namespace flag_set_twice {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), kHalves);
    SetFlag<HardEvent::MTE2_V>(1);
    if (Seeded) {
        SetFlag<HardEvent::MTE2_V>(1);
    }
    WaitFlag<HardEvent::MTE2_V>(1);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kFlagSetTwice);

} // namespace flag_set_twice
