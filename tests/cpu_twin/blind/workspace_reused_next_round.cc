// Two rounds: each core hands its row to the other through the workspace. Nothing holds the second round's
// rows back until the first's are read.
#include "launch.h"

namespace workspace_reused_next_round {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    constexpr uint32_t kRow = 256;
    const uint32_t own = GetBlockIdx(), other = 1 - own;
    GlobalTensor<half> gx = global<half>(x), gy = global<half>(y),
                       hand = global<half>(GetUserWorkspace(workspace));
    Room room(1024);
    LocalTensor<half> row = room.take<half>(kRow);
    for (uint32_t round = 0; round < 4; ++round) {
        DataCopy(row, gx[(2 * round + own) * kRow], kRow);
        PipeBarrier<PIPE_ALL>();
        DataCopy(hand[own * kRow], row, kRow);
        PipeBarrier<PIPE_ALL>();
        SyncAll();
        DataCopy(row, hand[other * kRow], kRow);
        PipeBarrier<PIPE_ALL>();
        DataCopy(gy[(2 * round + own) * kRow], row, kRow);
        PipeBarrier<PIPE_ALL>();
        if (!Seeded) {
            SyncAll();
        }
    }
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 2;
    launch.tensors = {input("x", 4096), output("y", 4096)};
    launch.workspace_bytes = launch.soc.system_workspace_bytes + 1024;
}

SEEDED_DEFECT(kCoreRace, change);

} // namespace workspace_reused_next_round
