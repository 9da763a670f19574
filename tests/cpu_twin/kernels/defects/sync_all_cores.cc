// SyncAll with more blocks than the product has cores.
#include "harness.h"

namespace sync_all_cores {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    const uint32_t part = kHalves / GetBlockNum();
    const uint32_t begin = part * GetBlockIdx();
    const uint32_t other = part * ((GetBlockIdx() + 1) % GetBlockNum());
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(part);
    GlobalTensor<half> shared = global<half>(GetUserWorkspace(workspace));

    SyncAll();
    load(a, global<half>(x)[other], part);
    save(global<half>(y)[begin], a, part);
    save(shared[begin], a, part);
}

SEEDED_DEFECT(kSyncAllCores, [](twin::Launch& launch, bool faulty) {
    launch.block_dim = 8;
    launch.soc.cores = faulty ? 6 : 8;
});

} // namespace sync_all_cores
