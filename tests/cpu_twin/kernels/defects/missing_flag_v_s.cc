// A scalar load does not wait for the vector unit.
#include "harness.h"

namespace missing_flag_v_s {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    Duplicate(a, half(3), kHalves);
    if (!Seeded) {
        flag<HardEvent::V_S>();
    }
    const half value = a.GetValue(0);
    flag<HardEvent::S_V>();
    Duplicate(a[16], value, kHalves - 16);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_v_s
