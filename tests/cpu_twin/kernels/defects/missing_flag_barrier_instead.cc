// A barrier of the vector pipe where its wait for a transfer belongs.
#include "harness.h"

namespace missing_flag_barrier_instead {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), kHalves);
    if (Seeded) {
        PipeBarrier<PIPE_V>();
    } else {
        flag<HardEvent::MTE2_V>();
    }
    Adds(a, a, half(1), kHalves);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_barrier_instead
