// A product that is rounded before or after it is added, which no document says.
#include "harness.h"

namespace unsupported_mode_axpy {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Adds(b, a, half(1), kHalves);
    PipeBarrier<PIPE_V>();
    Axpy(b, a, half(Seeded ? 0.3f : 0.5f), 16);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kUnsupportedMode);

} // namespace unsupported_mode_axpy
