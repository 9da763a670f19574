// Each of eight cores passes its part of x on to the next one, three times.
#include "harness.h"

namespace sync_all_ring {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    const uint32_t part = kHalves / GetBlockNum();
    const uint32_t mine = part * GetBlockIdx();
    const uint32_t other = part * ((GetBlockIdx() + 1) % GetBlockNum());
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(part);
    GlobalTensor<half> shared = global<half>(GetUserWorkspace(workspace));
    load(a, global<half>(x)[mine], part);
    for (uint32_t i = 0; i < 3; ++i) {
        save(shared[mine], a, part);
        SyncAll();
        load(a, shared[other], part);
        SyncAll();
    }
    save(global<half>(y)[mine], a, part);
}

COMPUTED_VALUES([](twin::Launch& launch, bool) { launch.block_dim = 8; });

} // namespace sync_all_ring
