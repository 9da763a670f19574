// Four cores add x, as whole numbers, to zeros that the first one has written.
#include "harness.h"

namespace atomic_add {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    Room room(4 * kBytes);
    LocalTensor<int32_t> a = room.take<int32_t>(kFloats);
    if (GetBlockIdx() == 0) {
        Duplicate(a, int32_t(0), kFloats);
        save(global<int32_t>(y), a, kFloats);
    }
    SyncAll();
    load(a, global<int32_t>(x), kFloats);
    flag<HardEvent::V_MTE3>();
    SetAtomicAdd<int32_t>();
    DataCopy(global<int32_t>(y), a, kFloats);
    SetAtomicNone();
}

COMPUTED_VALUES([](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace atomic_add
