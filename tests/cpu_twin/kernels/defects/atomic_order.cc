// Cores add floats to one place, in an order that timing decides.
#include "harness.h"

namespace atomic_order {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    Room room(2 * kBytes);
    LocalTensor<float> a = room.take<float>(kFloats);
    Duplicate(a, 0.1f, kFloats);
    if (GetBlockIdx() == 0) {
        save(global<float>(y), a, kFloats);
    }
    SyncAll();
    const uint32_t part = kFloats / GetBlockNum();
    const uint32_t begin = part * GetBlockIdx();
    flag<HardEvent::V_MTE3>();
    SetAtomicAdd<float>();
    DataCopy(global<float>(y)[Seeded ? 0 : begin], a, part);
    SetAtomicNone();
}

SEEDED_DEFECT(kAtomicOrder, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace atomic_order
