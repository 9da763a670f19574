// A transfer reads global memory whose new value is still in the scalar cache.
#include "harness.h"

namespace dirty_cache_line_transfer {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<int32_t> a = room.take<int32_t>(8);
    GlobalTensor<int32_t> notes = global<int32_t>(GetUserWorkspace(workspace));
    for (uint32_t i = 0; i < 8; ++i) {
        notes.SetValue(i, 7);
    }
    if (!Seeded) {
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(notes);
    }
    flag<HardEvent::S_MTE2>();
    DataCopy(a, notes, 8);
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(notes);
    pass(x, y, room);
}

SEEDED_DEFECT(kDirtyCacheLine);

} // namespace dirty_cache_line_transfer
