// Adds 8 rows of 20 half values, loaded at a pitch of 96 B. The gap on the UB side counts in blocks of 32 B,
// not in bytes.
#include "launch.h"

namespace stride_in_bytes_for_blocks {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kRows = 8, kWidth = 20, kPitch = 48, kRowBytes = kWidth * sizeof(half);
    constexpr uint32_t kGap = Seeded ? 32 : 1;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kRows * kWidth);
    gy.SetGlobalBuffer((__gm__ half*)y, kWidth);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, kRows * kPitch * sizeof(half));
    pipe.InitBuffer(out, 1, kPitch * sizeof(half));
    LocalTensor<half> lx = in.AllocTensor<half>();
    DataCopyPad(lx, gx, DataCopyExtParams{kRows, kRowBytes, 0, kGap, 0},
                DataCopyPadExtParams<half>{false, 0, 0, 0});
    in.EnQue(lx);
    LocalTensor<half> src = in.DeQue<half>();
    LocalTensor<half> dst = out.AllocTensor<half>();
    Duplicate(dst, (half)0, kWidth);
    for (uint32_t r = 0; r < kRows; ++r) {
        PipeBarrier<PIPE_V>();
        Add(dst, dst, src[r * kPitch], kWidth);
    }
    in.FreeTensor(src);
    out.EnQue(dst);
    LocalTensor<half> ready = out.DeQue<half>();
    DataCopyPad(gy, ready, DataCopyExtParams{1, kRowBytes, 0, 0, 0});
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 320), output("y", 40)};
}

SEEDED_DEFECT(kUbOutOfBounds, change);

} // namespace stride_in_bytes_for_blocks
