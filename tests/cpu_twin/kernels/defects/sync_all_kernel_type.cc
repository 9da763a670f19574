// SyncAll in a kernel for vector cores only.
#include "harness.h"

namespace sync_all_kernel_type {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(Seeded ? KERNEL_TYPE_AIV_ONLY : KERNEL_TYPE_MIX_AIV_1_0);
    Room room(2 * kBytes);
    SyncAll();
    pass(x, y, room);
}

SEEDED_DEFECT(kSyncAllKernelType);

} // namespace sync_all_kernel_type
