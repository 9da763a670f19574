// Offsets that lead past the source: too far apart for its length.
#include "harness.h"

namespace gather_offset {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    LocalTensor<int32_t> offsets = room.take<int32_t>(128);
    load(a, global<half>(x), kHalves);
    Duplicate(b, half(0), kHalves);
    CreateVecIndex(offsets, int32_t(0), 128);
    PipeBarrier<PIPE_V>();
    Muls(offsets, offsets, int32_t(Seeded ? 64 : 2), 128);
    PipeBarrier<PIPE_V>();
    Gather(b, a, offsets.ReinterpretCast<uint32_t>(), 0, 128);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kGatherOffset);

} // namespace gather_offset
