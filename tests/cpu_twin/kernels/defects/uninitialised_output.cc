// Adds to an output as if it began with zeros, without atomics.
#include "harness.h"

namespace uninitialised_output {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), kHalves);
    if (Seeded) {
        load(b, global<half>(y), kHalves);
    } else {
        flag<HardEvent::MTE2_V>();
        Duplicate(b, half(0), kHalves);
        PipeBarrier<PIPE_V>();
    }
    Add(a, a, b, kHalves);
    flag<HardEvent::MTE2_MTE3>();
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUninitialised);

} // namespace uninitialised_output
