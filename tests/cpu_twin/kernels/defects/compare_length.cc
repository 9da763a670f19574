// Compare of a count that fills no whole repeat.
#include "harness.h"

namespace compare_length {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kHalves / 8);
    load(a, global<half>(x), kHalves);
    Duplicate(bits.ReinterpretCast<uint16_t>(), uint16_t(0), kHalves / 16);
    PipeBarrier<PIPE_V>();
    Compare(bits, a, a, CMPMODE::EQ, Seeded ? kHalves - 28 : kHalves);
    PipeBarrier<PIPE_V>();
    Select(b, bits, a, half(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kCompareLength);

} // namespace compare_length
