// y = x + 1 on 552 half values: the 40 of the tail first, then 4 whole repeats, which still run under the
// tail's mask.
#include "launch.h"

namespace mask_left_over {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kBody = 512, kTail = 40, kAll = kBody + kTail, kRoom = 640;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kAll);
    gy.SetGlobalBuffer((__gm__ half*)y, kAll);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, kRoom * sizeof(half));
    pipe.InitBuffer(out, 1, kRoom * sizeof(half));
    LocalTensor<half> lx = in.AllocTensor<half>();
    DataCopyPad(lx, gx, DataCopyExtParams{1, kAll * sizeof(half), 0, 0, 0},
                DataCopyPadExtParams<half>{false, 0, 0, 0});
    in.EnQue(lx);
    LocalTensor<half> src = in.DeQue<half>();
    LocalTensor<half> dst = out.AllocTensor<half>();
    SetMaskNorm();
    SetVectorMask<half, MaskMode::NORMAL>(0, (1ULL << kTail) - 1);
    Adds<half, false>(dst[kBody], src[kBody], (half)1, MASK_PLACEHOLDER, 1, UnaryRepeatParams{1, 1, 8, 8});
    if (!Seeded) {
        SetVectorMask<half, MaskMode::NORMAL>(~0ULL, ~0ULL);
    }
    Adds<half, false>(dst, src, (half)1, MASK_PLACEHOLDER, 4, UnaryRepeatParams{1, 1, 8, 8});
    ResetMask();
    in.FreeTensor(src);
    out.EnQue(dst);
    LocalTensor<half> ready = out.DeQue<half>();
    DataCopyPad(gy, ready, DataCopyExtParams{1, kAll * sizeof(half), 0, 0, 0});
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 1104), output("y", 1104)};
}

SEEDED_DEFECT(kUninitialised, change);

} // namespace mask_left_over
