// A pipe waits for a flag with another id than the one that is set.
#include "harness.h"

namespace flag_never_set {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), kHalves);
    SetFlag<HardEvent::MTE2_V>(2);
    WaitFlag<HardEvent::MTE2_V>(Seeded ? 3 : 2);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kFlagNeverSet);

} // namespace flag_never_set
