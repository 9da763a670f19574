// SyncAll without the schedule mode that gives a kernel all its cores at once.
#include "harness.h"

namespace sync_all_schedule_mode {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    Room room(2 * kBytes);
    SyncAll();
    pass(x, y, room);
}

SEEDED_DEFECT(kSyncAllScheduleMode, [](twin::Launch& launch, bool faulty) { launch.batch_mode = !faulty; });

} // namespace sync_all_schedule_mode
