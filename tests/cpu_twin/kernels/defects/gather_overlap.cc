// Gather whose destination lies on a later part of its source.
#include "harness.h"

namespace gather_overlap {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    LocalTensor<int32_t> offsets = room.take<int32_t>(128);
    load(a, global<half>(x), kHalves);
    CreateVecIndex(offsets, int32_t(0), 128);
    PipeBarrier<PIPE_V>();
    Muls(offsets, offsets, int32_t(2), 128);
    PipeBarrier<PIPE_V>();
    Gather(a[Seeded ? 64 : 128], a, offsets.ReinterpretCast<uint32_t>(), 0, 128);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kOperandOverlap);

} // namespace gather_overlap
