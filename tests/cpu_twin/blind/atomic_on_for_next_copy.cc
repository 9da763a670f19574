// All cores add their row of int32 into total (zeroed by the host) and copy it into echo. The copy still
// adds.
#include "launch.h"

namespace atomic_on_for_next_copy {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR total, GM_ADDR echo, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kWidth = 256;
    const uint32_t start = GetBlockIdx() * kWidth;
    GlobalTensor<int32_t> gx, gt, ge;
    gx.SetGlobalBuffer((__gm__ int32_t*)x + start, kWidth);
    gt.SetGlobalBuffer((__gm__ int32_t*)total, kWidth);
    ge.SetGlobalBuffer((__gm__ int32_t*)echo + start, kWidth);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, kWidth * sizeof(int32_t));
    LocalTensor<int32_t> row = buf.Get<int32_t>();
    DataCopy(row, gx, kWidth);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    SetAtomicAdd<int32_t>();
    DataCopy(gt, row, kWidth);
    if (!Seeded) {
        SetAtomicNone();
    }
    DataCopy(ge, row, kWidth);
    if (Seeded) {
        SetAtomicNone();
    }
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 2;
    launch.tensors = {input("x", 2048), sums("total", 1024), output("echo", 2048)};
}

SEEDED_DEFECT(kUninitialised, change);

} // namespace atomic_on_for_next_copy
