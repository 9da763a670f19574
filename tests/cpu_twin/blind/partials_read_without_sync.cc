// Core 0 adds the partial rows that every core has put in the workspace, without waiting for the others.
#include "launch.h"

namespace partials_read_without_sync {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    constexpr uint32_t kWidth = 256;
    const uint32_t cores = GetBlockNum();
    GlobalTensor<float> gx, gy, partial;
    gx.SetGlobalBuffer((__gm__ float*)x, cores * kWidth);
    gy.SetGlobalBuffer((__gm__ float*)y, kWidth);
    partial.SetGlobalBuffer((__gm__ float*)GetUserWorkspace(workspace), cores * kWidth);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 2 * kWidth * sizeof(float));
    LocalTensor<float> row = buf.Get<float>();
    LocalTensor<float> sum = row[kWidth];
    DataCopy(row, gx[GetBlockIdx() * kWidth], kWidth);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(row, row, 2.0f, kWidth);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(partial[GetBlockIdx() * kWidth], row, kWidth);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    if (!Seeded) {
        SyncAll();
    }
    if (GetBlockIdx() != 0)
        return;
    Duplicate(sum, 0.0f, kWidth);
    for (uint32_t c = 0; c < cores; ++c) {
        DataCopy(row, partial[c * kWidth], kWidth);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        PipeBarrier<PIPE_V>();
        Add(sum, sum, row, kWidth);
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, sum, kWidth);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 4;
    launch.tensors = {input("x", 4096), output("y", 1024)};
    launch.workspace_bytes = launch.soc.system_workspace_bytes + 4096;
}

SEEDED_DEFECT(kCoreRace, change);

} // namespace partials_read_without_sync
