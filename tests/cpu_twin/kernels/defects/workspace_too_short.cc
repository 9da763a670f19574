// The kernel writes more workspace than tiling asked for.
#include "harness.h"

namespace workspace_too_short {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    flag<HardEvent::V_MTE3>();
    DataCopy(global<half>(GetUserWorkspace(workspace)), a, kHalves);
    DataCopy(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kWorkspaceTooShort,
              [](twin::Launch& launch, bool faulty) { launch.workspace_bytes -= faulty ? 32 : 0; });

} // namespace workspace_too_short
