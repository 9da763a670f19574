// y = x + 1 on 10 rows shared by 4 cores. The split rounds down, so the last two rows belong to nobody.
#include "launch.h"

namespace remainder_rows_dropped {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kRows = 10, kWidth = 256;
    const uint32_t rows = Seeded ? kRows / GetBlockNum() : (kRows + GetBlockNum() - 1) / GetBlockNum();
    const uint32_t begin = GetBlockIdx() * rows;
    const uint32_t end = begin + rows < kRows ? begin + rows : kRows;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, kRows * kWidth);
    gy.SetGlobalBuffer((__gm__ float*)y, kRows * kWidth);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, kWidth * sizeof(float));
    pipe.InitBuffer(out, 2, kWidth * sizeof(float));
    for (uint32_t r = begin; r < end; ++r) {
        LocalTensor<float> lx = in.AllocTensor<float>();
        DataCopy(lx, gx[r * kWidth], kWidth);
        in.EnQue(lx);
        LocalTensor<float> src = in.DeQue<float>();
        LocalTensor<float> dst = out.AllocTensor<float>();
        Adds(dst, src, 1.0f, kWidth);
        in.FreeTensor(src);
        out.EnQue(dst);
        LocalTensor<float> ready = out.DeQue<float>();
        DataCopy(gy[r * kWidth], ready, kWidth);
        out.FreeTensor(ready);
    }
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 4;
    launch.tensors = {input("x", 10240), output("y", 10240)};
}

SEEDED_DEFECT(kOutputNotWritten, change);

} // namespace remainder_rows_dropped
