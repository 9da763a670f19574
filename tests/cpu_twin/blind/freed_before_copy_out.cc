// y = 2 x through queues. The output buffer goes back to its queue before the copy out reads it.
#include "launch.h"

namespace freed_before_copy_out {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kTile = 1024, kTiles = 6;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, kTile * kTiles);
    gy.SetGlobalBuffer((__gm__ float*)y, kTile * kTiles);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, kTile * sizeof(float));
    pipe.InitBuffer(out, 1, kTile * sizeof(float));
    for (uint32_t t = 0; t < kTiles; ++t) {
        LocalTensor<float> lx = in.AllocTensor<float>();
        DataCopy(lx, gx[t * kTile], kTile);
        in.EnQue(lx);
        LocalTensor<float> src = in.DeQue<float>();
        LocalTensor<float> dst = out.AllocTensor<float>();
        Muls(dst, src, 2.0f, kTile);
        in.FreeTensor(src);
        out.EnQue(dst);
        LocalTensor<float> ready = out.DeQue<float>();
        if (!Seeded) {
            DataCopy(gy[t * kTile], ready, kTile);
            out.FreeTensor(ready);
        } else {
            out.FreeTensor(ready);
            DataCopy(gy[t * kTile], ready, kTile);
        }
    }
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 24576), output("y", 24576)};
}

SEEDED_DEFECT(kUseAfterFree, change);

} // namespace freed_before_copy_out
