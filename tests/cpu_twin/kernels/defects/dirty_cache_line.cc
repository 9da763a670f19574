// Scalar stores that are still in the cache when the kernel ends.
#include "harness.h"

namespace dirty_cache_line {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    pass(x, y, room);
    GlobalTensor<int32_t> notes = global<int32_t>(GetUserWorkspace(workspace));
    notes.SetValue(0, 7);
    if (!Seeded) {
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(notes);
    }
}

SEEDED_DEFECT(kDirtyCacheLine);

} // namespace dirty_cache_line
