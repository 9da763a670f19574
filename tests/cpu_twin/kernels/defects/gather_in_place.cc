// Gather into its own source.
#include "harness.h"

namespace gather_in_place {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    LocalTensor<int32_t> offsets = room.take<int32_t>(128);
    load(a, global<half>(x), kHalves);
    Adds(b, a, half(0), kHalves);
    Duplicate(offsets, int32_t(16), 128);
    PipeBarrier<PIPE_V>();
    Gather(b, Seeded ? b : a, offsets.ReinterpretCast<uint32_t>(), 0, 128);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kOperandOverlap);

} // namespace gather_in_place
