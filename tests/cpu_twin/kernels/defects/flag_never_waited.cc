// A flag is still set when the kernel ends.
#include "harness.h"

namespace flag_never_waited {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    save(global<half>(y), a, kHalves);
    SetFlag<HardEvent::MTE3_V>(4);
    if (!Seeded) {
        WaitFlag<HardEvent::MTE3_V>(4);
    }
}

SEEDED_DEFECT(kFlagNeverWaited);

} // namespace flag_never_waited
