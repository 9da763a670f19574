// A vector instruction writes over what the one before writes, without a barrier.
#include "harness.h"

namespace missing_barrier_write_after_write {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves),
                      c = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Adds(b, a, half(1), kHalves);
    if (!Seeded) {
        PipeBarrier<PIPE_V>();
    }
    Adds(b, a, half(2), kHalves);
    Duplicate(c, half(0), kHalves);
    save(global<half>(y), c, kHalves);
}

SEEDED_DEFECT(kMissingBarrier);

} // namespace missing_barrier_write_after_write
