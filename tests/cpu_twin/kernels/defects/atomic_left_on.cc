// The atomic mode is still on when the kernel ends.
#include "harness.h"

namespace atomic_left_on {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    pass(x, y, room);
    LocalTensor<float> sum = room.take<float>(8);
    GlobalTensor<float> total = global<float>(GetUserWorkspace(workspace));
    Duplicate(sum, 1.0f, 8);
    save(total, sum, 8);
    PipeBarrier<PIPE_MTE3>();
    SetAtomicAdd<float>();
    DataCopy(total, sum, 8);
    if (!Seeded) {
        SetAtomicNone();
    }
}

SEEDED_DEFECT(kAtomicLeftOn);

} // namespace atomic_left_on
