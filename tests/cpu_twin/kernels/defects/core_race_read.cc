// A core reads what another one writes, without SyncAll between them.
#include "harness.h"

namespace core_race_read {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    const uint32_t part = kHalves / GetBlockNum();
    const uint32_t begin = part * GetBlockIdx();
    const uint32_t other = part * ((GetBlockIdx() + 1) % GetBlockNum());
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(part);
    GlobalTensor<half> shared = global<half>(GetUserWorkspace(workspace));

    load(a, global<half>(x)[begin], part);
    save(shared[begin], a, part);
    if (!Seeded) {
        SyncAll();
    }
    flag<HardEvent::MTE3_MTE2>();
    load(a, shared[other], part);
    save(global<half>(y)[begin], a, part);
}

SEEDED_DEFECT(kCoreRace, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace core_race_read
