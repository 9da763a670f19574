// A vector operand that begins off a block of 32 B.
#include "harness.h"

namespace ub_unaligned_vector {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Adds(b, a, half(0), kHalves);
    PipeBarrier<PIPE_V>();
    Adds(b, a[Seeded ? 8 : 16], half(0), 128);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kUbUnaligned);

} // namespace ub_unaligned_vector
