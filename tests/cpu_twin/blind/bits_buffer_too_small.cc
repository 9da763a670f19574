// The mask of 2048 half values is 256 B; its buffer has room for half of it.
#include "launch.h"

namespace bits_buffer_too_small {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> bitBuf, valueBuf;
    pipe.InitBuffer(bitBuf, Seeded ? kHalves / 16 : kHalves / 8);
    pipe.InitBuffer(valueBuf, 3 * kBytes);
    LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
    LocalTensor<half> a = valueBuf.Get<half>(), zero = a[kHalves], out = a[2 * kHalves];
    load(a, global<half>(x), kHalves);
    Duplicate(zero, (half)0, kHalves);
    PipeBarrier<PIPE_V>();
    Compare(bits, a, zero, CMPMODE::GT, kHalves);
    PipeBarrier<PIPE_V>();
    Select(out, bits, a, zero, SELMODE::VSEL_TENSOR_TENSOR_MODE, kHalves);
    save(global<half>(y), out, kHalves);
}

void change(twin::Launch& launch, bool) {
    launch.tensors = {input("x", 4096), output("y", 4096)};
}

SEEDED_DEFECT(kUbOutOfBounds, change);

} // namespace bits_buffer_too_small
