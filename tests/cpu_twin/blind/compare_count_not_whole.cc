// y = x > 0 ? x : 0 on a row of 100 half values: 200 B, no whole vector of 256 B.
#include "launch.h"

namespace compare_count_not_whole {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kWidth = 100, kRoom = 128;
    constexpr uint32_t kCompared = Seeded ? kWidth : kRoom;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kWidth);
    gy.SetGlobalBuffer((__gm__ half*)y, kWidth);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> zeroBuf, bitBuf;
    pipe.InitBuffer(in, 1, kRoom * sizeof(half));
    pipe.InitBuffer(out, 1, kRoom * sizeof(half));
    pipe.InitBuffer(zeroBuf, kRoom * sizeof(half));
    pipe.InitBuffer(bitBuf, 32);
    LocalTensor<half> zero = zeroBuf.Get<half>();
    LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
    LocalTensor<half> lx = in.AllocTensor<half>();
    Duplicate(zero, (half)0, kRoom);
    Duplicate(lx, (half)0, kRoom);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    DataCopyPad(lx, gx, DataCopyExtParams{1, kWidth * sizeof(half), 0, 0, 0},
                DataCopyPadExtParams<half>{true, 0, 12, 0});
    in.EnQue(lx);
    LocalTensor<half> src = in.DeQue<half>();
    PipeBarrier<PIPE_V>();
    Compare(bits, src, zero, CMPMODE::GT, kCompared);
    PipeBarrier<PIPE_V>();
    LocalTensor<half> dst = out.AllocTensor<half>();
    Select(dst, bits, src, (half)0, SELMODE::VSEL_TENSOR_SCALAR_MODE, kWidth);
    in.FreeTensor(src);
    out.EnQue(dst);
    LocalTensor<half> ready = out.DeQue<half>();
    DataCopyPad(gy, ready, DataCopyExtParams{1, kWidth * sizeof(half), 0, 0, 0});
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 200), output("y", 200)};
}

SEEDED_DEFECT(kCompareLength, change);

} // namespace compare_count_not_whole
