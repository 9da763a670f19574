// A core without work returns before SyncAll, and the others wait for it.
#include "harness.h"

namespace sync_all_uneven {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    if (Seeded && GetBlockIdx() == 3) {
        return;
    }
    SyncAll();
    Room room(2 * kBytes);
    if (GetBlockIdx() == 0) {
        pass(x, y, room);
    }
}

SEEDED_DEFECT(kSyncAllUneven, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace sync_all_uneven
