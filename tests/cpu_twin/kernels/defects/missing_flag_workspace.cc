// Workspace is read back before it is written.
#include "harness.h"

namespace missing_flag_workspace {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    GlobalTensor<half> own = global<half>(GetUserWorkspace(workspace));
    load(a, global<half>(x), kHalves);
    flag<HardEvent::V_MTE3>();
    DataCopy(own, a, kHalves);
    if (!Seeded) {
        flag<HardEvent::MTE3_MTE2>();
    }
    DataCopy(b, own, kHalves);
    flag<HardEvent::MTE2_MTE3>();
    DataCopy(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_workspace
