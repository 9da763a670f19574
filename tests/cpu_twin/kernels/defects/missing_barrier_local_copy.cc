// A copy within the unified buffer is the vector unit's, and the next instruction does not wait for it.
#include "harness.h"

namespace missing_barrier_local_copy {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    DataCopy(b, a, kHalves);
    if (!Seeded) {
        PipeBarrier<PIPE_V>();
    }
    Adds(b, b, half(1), kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kMissingBarrier);

} // namespace missing_barrier_local_copy
