// A scalar load from a cached line that another core has written since.
#include "harness.h"

namespace stale_cache_line {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    Room room(2 * kBytes);
    GlobalTensor<half> notes = global<half>(GetUserWorkspace(workspace));
    LocalTensor<half> a = room.take<half>(kHalves);
    if (GetBlockIdx() == 0) {
        Duplicate(a, half(1), 16);
        save(notes, a, 16);
    }
    SyncAll();
    float sum = notes.GetValue(0);
    SyncAll();
    if (GetBlockIdx() == 0) {
        Duplicate(a, half(2), 16);
        save(notes, a, 16);
    }
    SyncAll();
    if (!Seeded) {
        DataCacheCleanAndInvalid<half, CacheLine::SINGLE_CACHE_LINE>(notes);
    }
    sum += notes.GetValue(0);
    flag<HardEvent::S_V>();
    const uint32_t part = kHalves / GetBlockNum();
    Duplicate(a, half(sum), part);
    save(global<half>(y)[part * GetBlockIdx()], a, part);
}

SEEDED_DEFECT(kStaleCacheLine, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace stale_cache_line
