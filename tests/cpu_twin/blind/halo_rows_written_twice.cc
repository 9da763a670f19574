// Every row of y is the sum of three rows of x. A core spreads its own rows of x and also writes the halo
// rows it touched.
#include "launch.h"

namespace halo_rows_written_twice {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr int32_t kRows = 16, kWidth = 256;
    const int32_t share = kRows / (int32_t)GetBlockNum();
    const int32_t begin = (int32_t)GetBlockIdx() * share, end = begin + share;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, kRows * kWidth);
    gy.SetGlobalBuffer((__gm__ float*)y, kRows * kWidth);
    const int32_t low = begin > 0 ? begin - 1 : 0, high = end < kRows ? end + 1 : kRows;
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, kWidth * sizeof(float));
    pipe.InitBuffer(out, 1, (high - low) * kWidth * sizeof(float));
    LocalTensor<float> acc = out.AllocTensor<float>();
    Duplicate(acc, 0.0f, (high - low) * kWidth);
    const int32_t from = Seeded ? begin : low, to = Seeded ? end : high;
    for (int32_t r = from; r < to; ++r) {
        LocalTensor<float> lx = in.AllocTensor<float>();
        DataCopy(lx, gx[r * kWidth], kWidth);
        in.EnQue(lx);
        LocalTensor<float> src = in.DeQue<float>();
        for (int32_t t = r - 1; t <= r + 1; ++t) {
            if (t < low || t >= high)
                continue;
            PipeBarrier<PIPE_V>();
            Add(acc[(t - low) * kWidth], acc[(t - low) * kWidth], src, kWidth);
        }
        in.FreeTensor(src);
    }
    out.EnQue(acc);
    LocalTensor<float> ready = out.DeQue<float>();
    if (!Seeded) {
        DataCopy(gy[begin * kWidth], ready[(begin - low) * kWidth], share * kWidth);
    } else {
        DataCopy(gy[low * kWidth], ready, (high - low) * kWidth);
    }
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 4;
    launch.tensors = {input("x", 16384), output("y", 16384)};
}

SEEDED_DEFECT(kCoreRace, change);

} // namespace halo_rows_written_twice
