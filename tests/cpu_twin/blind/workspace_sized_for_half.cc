// Parks every core's values in the workspace and fetches them again. The host counted half, the kernel keeps
// float.
#include "launch.h"

namespace workspace_sized_for_half {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    using Kept = std::conditional_t<Seeded, float, half>;
    constexpr uint32_t kSlot = 512;
    const uint32_t start = GetBlockIdx() * kSlot;
    GlobalTensor<Kept> gx, gy, kept;
    gx.SetGlobalBuffer((__gm__ Kept*)x + start, kSlot);
    gy.SetGlobalBuffer((__gm__ Kept*)y + start, kSlot);
    kept.SetGlobalBuffer((__gm__ Kept*)GetUserWorkspace(workspace) + start, kSlot);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, kSlot * sizeof(Kept));
    LocalTensor<Kept> values = buf.Get<Kept>();
    DataCopy(values, gx, kSlot);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(kept, values, kSlot);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    DataCopy(values, kept, kSlot);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gy, values, kSlot);
}

void change(twin::Launch& launch, bool faulty) {
    launch.block_dim = 4;
    launch.tensors = {input("x", faulty ? 8192 : 4096), output("y", faulty ? 8192 : 4096)};
    launch.workspace_bytes = launch.soc.system_workspace_bytes + 4096;
}

SEEDED_DEFECT(kWorkspaceTooShort, change);

} // namespace workspace_sized_for_half
