// Per row the maximum of columns 0..127 and 128..255. A row is 257 blocks long and the repeat stride holds 8
// bits.
#include "launch.h"

namespace repeat_stride_wrapped {

template <bool Seeded>
void MaxOfBands(const LocalTensor<half>& dst, const LocalTensor<half>& src, uint32_t rows, uint32_t width) {
    if (!Seeded) {
        for (uint32_t r = 0; r < rows; ++r)
            Max(dst[r * 128], src[r * width], src[r * width + 128], 128);
    } else {
        BinaryRepeatParams p;
        p.dstRepStride = 8;
        p.src0RepStride = width / 16;
        p.src1RepStride = width / 16;
        Max(dst, src, src[128], (uint64_t)128, rows, p);
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kRows = 8, kWidth = 4112;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kRows * kWidth);
    gy.SetGlobalBuffer((__gm__ half*)y, kRows * 128);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, kRows * kWidth * sizeof(half));
    pipe.InitBuffer(out, 1, kRows * 128 * sizeof(half));
    LocalTensor<half> lx = in.AllocTensor<half>();
    DataCopy(lx, gx, kRows * kWidth);
    in.EnQue(lx);
    LocalTensor<half> src = in.DeQue<half>();
    LocalTensor<half> dst = out.AllocTensor<half>();
    MaxOfBands<Seeded>(dst, src, kRows, kWidth);
    in.FreeTensor(src);
    out.EnQue(dst);
    LocalTensor<half> ready = out.DeQue<half>();
    DataCopy(gy, ready, kRows * 128);
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 65792), output("y", 2048)};
}

SEEDED_DEFECT(kStrideWrapped, change);

} // namespace repeat_stride_wrapped
