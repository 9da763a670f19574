// Buffers that reach into the 8 KB that Select between tensors writes.
#include "harness.h"

namespace select_scratch {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room((Seeded ? 192 : 184) * 1024);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kHalves / 8);
    load(a, global<half>(x), kHalves);
    CompareScalar(bits, a, half(1), CMPMODE::GT, kHalves);
    PipeBarrier<PIPE_V>();
    Select(b, bits, a, a, SELMODE::VSEL_TENSOR_TENSOR_MODE, kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kSelectScratch);

} // namespace select_scratch
