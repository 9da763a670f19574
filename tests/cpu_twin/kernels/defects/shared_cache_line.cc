// Two cores store scalars into one line of 64 B.
#include "harness.h"

namespace shared_cache_line {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    if (GetBlockIdx() == 0) {
        pass(x, y, room);
    }
    // 32 B or 64 B a core
    GlobalTensor<int32_t> notes = global<int32_t>(GetUserWorkspace(workspace));
    GlobalTensor<int32_t> mine = notes[GetBlockIdx() * (Seeded ? 8 : 16)];
    for (uint32_t i = 0; i < 8; ++i) {
        mine.SetValue(i, 7);
    }
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(mine);
}

SEEDED_DEFECT(kSharedCacheLine, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace shared_cache_line
