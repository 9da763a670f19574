// The last repeat of a strided instruction reads past its tensor.
#include "harness.h"

namespace ub_out_of_bounds_strided {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Adds(b, a, half(0), kHalves);
    PipeBarrier<PIPE_V>();
    Adds(b, a, half(0), 128, 8, {1, 2, 8, Seeded ? 32 : 16});
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kUbOutOfBounds);

} // namespace ub_out_of_bounds_strided
