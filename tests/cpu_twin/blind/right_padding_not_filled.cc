// Row maximum pooling, window 3, padding 1, a pixel is 16 lanes. The pixel left of the row is filled, the one
// right of it is not.
#include "launch.h"

namespace right_padding_not_filled {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kPixels = 10, kLanes = 16, kRow = kPixels * kLanes;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kRow);
    gy.SetGlobalBuffer((__gm__ half*)y, kRow);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, (kPixels + 2) * kLanes * sizeof(half));
    pipe.InitBuffer(out, 1, kRow * sizeof(half));
    LocalTensor<half> padded = in.AllocTensor<half>();
    Duplicate(padded, (half)-65504.0f, kLanes);
    if (!Seeded) {
        Duplicate(padded[kLanes + kRow], (half)-65504.0f, kLanes);
    }
    DataCopy(padded[kLanes], gx, kRow);
    in.EnQue(padded);
    LocalTensor<half> src = in.DeQue<half>();
    PipeBarrier<PIPE_V>();
    LocalTensor<half> dst = out.AllocTensor<half>();
    Max(dst, src, src[kLanes], kRow);
    PipeBarrier<PIPE_V>();
    Max(dst, dst, src[2 * kLanes], kRow);
    in.FreeTensor(src);
    out.EnQue(dst);
    LocalTensor<half> ready = out.DeQue<half>();
    DataCopy(gy, ready, kRow);
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 320), output("y", 320)};
}

SEEDED_DEFECT(kUninitialised, change);

} // namespace right_padding_not_filled
