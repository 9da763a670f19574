// Core 0 zeroes y, then all cores add their row to it atomically. The others do not wait for the zeros.
#include "launch.h"

namespace zeroed_by_one_added_by_all {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    constexpr uint32_t kRow = 256;
    GlobalTensor<int32_t> gx = global<int32_t>(x), gy = global<int32_t>(y);
    Room room(2048);
    LocalTensor<int32_t> row = room.take<int32_t>(kRow), zero = room.take<int32_t>(kRow);
    if (GetBlockIdx() == 0) {
        Duplicate(zero, 0, kRow);
        PipeBarrier<PIPE_ALL>();
        DataCopy(gy, zero, kRow);
        PipeBarrier<PIPE_ALL>();
    }
    if (!Seeded) {
        SyncAll();
    }
    DataCopy(row, gx[GetBlockIdx() * kRow], kRow);
    PipeBarrier<PIPE_ALL>();
    SetAtomicAdd<int32_t>();
    DataCopy(gy, row, kRow);
    SetAtomicNone();
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 4;
    launch.tensors = {input("x", 4096), output("y", 1024)};
}

SEEDED_DEFECT(kCoreRace, change);

} // namespace zeroed_by_one_added_by_all
