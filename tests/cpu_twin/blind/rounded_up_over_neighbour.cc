// y = x + 1, 1001 half values a core. All cores but the last write whole blocks, into the next core's first
// values.
#include "launch.h"

namespace rounded_up_over_neighbour {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kShare = 1001, kRoom = 1008;
    const uint32_t start = GetBlockIdx() * kShare;
    const bool last = GetBlockIdx() + 1 == GetBlockNum();
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x + start);
    gy.SetGlobalBuffer((__gm__ half*)y + start);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, kRoom * sizeof(half));
    pipe.InitBuffer(out, 1, kRoom * sizeof(half));
    const bool exact = !Seeded || last;
    const DataCopyExtParams whole{1, kShare * sizeof(half), 0, 0, 0};
    LocalTensor<half> lx = in.AllocTensor<half>();
    if (last) {
        DataCopyPad(lx, gx, whole, DataCopyPadExtParams<half>{false, 0, 0, 0});
    } else {
        DataCopy(lx, gx, kRoom);
    }
    in.EnQue(lx);
    LocalTensor<half> src = in.DeQue<half>();
    LocalTensor<half> dst = out.AllocTensor<half>();
    Adds(dst, src, (half)1, last ? kShare : kRoom);
    in.FreeTensor(src);
    out.EnQue(dst);
    LocalTensor<half> ready = out.DeQue<half>();
    if (exact) {
        DataCopyPad(gy, ready, whole);
    } else {
        DataCopy(gy, ready, kRoom);
    }
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 4;
    launch.tensors = {input("x", 8008), output("y", 8008)};
}

SEEDED_DEFECT(kCoreRace, change);

} // namespace rounded_up_over_neighbour
