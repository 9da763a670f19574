// The kernel takes the workspace as it comes and writes the system's part.
#include "harness.h"

namespace system_workspace {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    flag<HardEvent::V_MTE3>();
    DataCopy(global<half>(Seeded ? workspace : GetUserWorkspace(workspace)), a, kHalves);
    DataCopy(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kSystemWorkspace);

} // namespace system_workspace
