// Workspace is read that nobody has written in this launch.
#include "harness.h"

namespace uninitialised_workspace {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    GlobalTensor<half> own = global<half>(GetUserWorkspace(workspace));
    load(a, global<half>(x), kHalves);
    flag<HardEvent::V_MTE3>();
    DataCopy(own, a, Seeded ? kHalves - 16 : kHalves);
    flag<HardEvent::MTE3_MTE2>();
    DataCopy(a, own, kHalves);
    flag<HardEvent::MTE2_MTE3>();
    DataCopy(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUninitialised);

} // namespace uninitialised_workspace
