// A transpose that writes over blocks it has still to read.
#include "harness.h"

namespace transpose_overlap {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Duplicate(b, half(1), kHalves);
    PipeBarrier<PIPE_V>();
    LocalTensor<half> to[16], from[16];
    for (uint32_t i = 0; i < 16; ++i) {
        from[i] = a[16 * i];
        to[i] = (Seeded ? a : b)[16 * (15 - i)];
    }
    TransDataTo5HD(to, from, {false, false, 1, 0, 0});
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kOperandOverlap);

} // namespace transpose_overlap
