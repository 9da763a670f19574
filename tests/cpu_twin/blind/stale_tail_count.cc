// y = x + x on two cores with 1300 and 1400 elements. The last tile is computed with the first core's tail on
// both.
#include "launch.h"

namespace stale_tail_count {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kTile = 512, kFirst = 1300, kSecond = 1400;
    const uint32_t start = GetBlockIdx() == 0 ? 0 : kFirst;
    const uint32_t total = GetBlockIdx() == 0 ? kFirst : kSecond;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x + start, total);
    gy.SetGlobalBuffer((__gm__ half*)y + start, total);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, kTile * sizeof(half));
    pipe.InitBuffer(out, 1, kTile * sizeof(half));
    const uint32_t tail = Seeded ? kFirst % kTile : total % kTile;
    for (uint32_t at = 0; at < total; at += kTile) {
        const uint32_t bytes = (total - at < kTile ? total - at : kTile) * sizeof(half);
        const uint32_t count = at + kTile > total ? tail : kTile;
        LocalTensor<half> lx = in.AllocTensor<half>();
        DataCopyPad(lx, gx[at], DataCopyExtParams{1, bytes, 0, 0, 0},
                    DataCopyPadExtParams<half>{false, 0, 0, 0});
        in.EnQue(lx);
        LocalTensor<half> src = in.DeQue<half>();
        LocalTensor<half> dst = out.AllocTensor<half>();
        Add(dst, src, src, count);
        in.FreeTensor(src);
        out.EnQue(dst);
        LocalTensor<half> ready = out.DeQue<half>();
        DataCopyPad(gy[at], ready, DataCopyExtParams{1, bytes, 0, 0, 0});
        out.FreeTensor(ready);
    }
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 2;
    launch.tensors = {input("x", 5400), output("y", 5400)};
}

SEEDED_DEFECT(kUninitialised, change);

} // namespace stale_tail_count
