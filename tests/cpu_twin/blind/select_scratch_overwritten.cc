// y = x > 0 ? x : 0 with tiles that fill UB to 190 KB, where Select against a scalar keeps its own scratch.
#include "launch.h"

namespace select_scratch_overwritten {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kTile = Seeded ? 31744 : 15872;
    constexpr uint32_t kAll = 63488;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kAll);
    gy.SetGlobalBuffer((__gm__ half*)y, kAll);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> zeroBuf, bitBuf;
    pipe.InitBuffer(bitBuf, kTile / 8);
    pipe.InitBuffer(zeroBuf, kTile * sizeof(half));
    pipe.InitBuffer(in, 1, kTile * sizeof(half));
    pipe.InitBuffer(out, 1, kTile * sizeof(half));
    LocalTensor<half> zero = zeroBuf.Get<half>();
    LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
    Duplicate(zero, (half)0, kTile);
    PipeBarrier<PIPE_V>();
    for (uint32_t at = 0; at < kAll; at += kTile) {
        LocalTensor<half> lx = in.AllocTensor<half>();
        DataCopy(lx, gx[at], kTile);
        in.EnQue(lx);
        LocalTensor<half> src = in.DeQue<half>();
        Compare(bits, src, zero, CMPMODE::GT, kTile);
        PipeBarrier<PIPE_V>();
        LocalTensor<half> dst = out.AllocTensor<half>();
        Select(dst, bits, src, (half)0, SELMODE::VSEL_TENSOR_SCALAR_MODE, kTile);
        PipeBarrier<PIPE_V>();
        in.FreeTensor(src);
        out.EnQue(dst);
        LocalTensor<half> ready = out.DeQue<half>();
        DataCopy(gy[at], ready, kTile);
        out.FreeTensor(ready);
    }
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 126976), output("y", 126976)};
}

SEEDED_DEFECT(kSelectScratch, change);

} // namespace select_scratch_overwritten
