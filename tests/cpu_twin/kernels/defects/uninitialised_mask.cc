// Select by bits of which half were never compared.
#include "harness.h"

namespace uninitialised_mask {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kHalves / 8);
    load(a, global<half>(x), kHalves);
    CompareScalar(bits, a, half(1), CMPMODE::GT, Seeded ? kHalves / 2 : kHalves);
    PipeBarrier<PIPE_V>();
    Select(b, bits, a, half(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kUninitialised);

} // namespace uninitialised_mask
