// Select of integers, which A2 and A3 do not have.
#include "harness.h"

namespace unsupported_type_select {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kHalves / 8);
    load(a, global<half>(x), kHalves);
    CompareScalar(bits, a, half(1), CMPMODE::GT, kHalves);
    PipeBarrier<PIPE_V>();
    if (Seeded) {
        Select(a.ReinterpretCast<int16_t>(), bits, a.ReinterpretCast<int16_t>(), int16_t(0),
               SELMODE::VSEL_TENSOR_SCALAR_MODE, kHalves);
    } else {
        Select(a, bits, a, half(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, kHalves);
    }
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUnsupportedType);

} // namespace unsupported_type_select
