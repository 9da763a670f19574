// The vector unit does not wait for a scalar store.
#include "harness.h"

namespace missing_flag_s_v {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    Duplicate(a, half(3), kHalves);
    flag<HardEvent::V_S>();
    a.SetValue(7, half(1));
    if (!Seeded) {
        flag<HardEvent::S_V>();
    }
    Adds(a, a, half(1), kHalves);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_s_v
