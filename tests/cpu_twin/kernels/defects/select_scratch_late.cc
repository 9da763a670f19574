// A buffer that is taken from the 8 KB after Select with a scalar has used it.
#include "harness.h"

namespace select_scratch_late {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(184 * 1024);
    LocalTensor<half> a = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kHalves / 8);
    load(a, global<half>(x), kHalves);
    CompareScalar(bits, a, half(1), CMPMODE::GT, kHalves);
    PipeBarrier<PIPE_V>();
    Select(a, bits, a, half(1), SELMODE::VSEL_TENSOR_SCALAR_MODE, kHalves);
    TBuf<> late;
    if (Seeded) {
        room.pipe.InitBuffer(late, 1024);
    }
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kSelectScratch);

} // namespace select_scratch_late
