// Zeroes y with one copy and then puts four rows in with another, both in flight at once.
#include "launch.h"

namespace zero_fill_races_with_results {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kWidth = 128, kRows = 4;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kRows * kWidth);
    gy.SetGlobalBuffer((__gm__ half*)y, 2 * kRows * kWidth);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 3 * kRows * kWidth * sizeof(half));
    LocalTensor<half> rows = buf.Get<half>();
    LocalTensor<half> zero = rows[kRows * kWidth];
    DataCopy(rows, gx, kRows * kWidth);
    Duplicate(zero, (half)0, 2 * kRows * kWidth);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, zero, 2 * kRows * kWidth);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    if (!Seeded) {
        PipeBarrier<PIPE_MTE3>();
    }
    DataCopyPad(gy, rows, DataCopyExtParams{kRows, kWidth * sizeof(half), 0, kWidth * sizeof(half), 0});
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 1024), output("y", 2048)};
}

SEEDED_DEFECT(kDmaOverlap, change);

} // namespace zero_fill_races_with_results
