// Select in modes 0, 1 and 2 between x[:512] and x[512:1024] by x[:512] > 1.
#include "harness.h"

namespace select_modes {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(6 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(64);
    load(a, global<half>(x), kHalves);
    Duplicate(b, half(0), kHalves);
    CompareScalar(bits, a, half(1), CMPMODE::GT, 512);
    PipeBarrier<PIPE_V>();
    Select(b, bits, a, a[512], SELMODE::VSEL_CMPMASK_SPR, 512);
    Select(b[512], bits, a, half(9), SELMODE::VSEL_TENSOR_SCALAR_MODE, 128, 4, {1, 1, 1, 8, 8, 8});
    Select(b[1024], bits, a, a[512], SELMODE::VSEL_TENSOR_TENSOR_MODE, 512);
    save(global<half>(y), b, kHalves);
}

COMPUTED_VALUES();

} // namespace select_modes
