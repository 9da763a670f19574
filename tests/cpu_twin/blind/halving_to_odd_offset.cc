// Folds 96 half values to 16 sums by halves. 96, 48, then 24: the second operand starts in the middle of a 32
// B block.
#include "launch.h"

namespace halving_to_odd_offset {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kWidth = 96, kLeft = 16;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kWidth);
    gy.SetGlobalBuffer((__gm__ half*)y, kLeft);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, kWidth * sizeof(half));
    pipe.InitBuffer(out, 1, kLeft * sizeof(half));
    LocalTensor<half> lx = in.AllocTensor<half>();
    DataCopy(lx, gx, kWidth);
    in.EnQue(lx);
    LocalTensor<half> row = in.DeQue<half>();
    for (uint32_t n = kWidth; n > kLeft;) {
        const uint32_t keep = Seeded ? n / 2 : (n / 2 + 15) / 16 * 16;
        Add(row, row, row[keep], n - keep);
        PipeBarrier<PIPE_V>();
        n = keep;
    }
    LocalTensor<half> ly = out.AllocTensor<half>();
    Adds(ly, row, (half)0, kLeft);
    in.FreeTensor(row);
    out.EnQue(ly);
    LocalTensor<half> ready = out.DeQue<half>();
    DataCopy(gy, ready, kLeft);
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 192), output("y", 32)};
}

SEEDED_DEFECT(kUbUnaligned, change);

} // namespace halving_to_odd_offset
