// A transfer out does not wait for the vector unit.
#include "harness.h"

namespace missing_flag_v_mte3 {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Adds(b, a, half(1), kHalves);
    if (!Seeded) {
        flag<HardEvent::V_MTE3>();
    }
    DataCopy(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_v_mte3
