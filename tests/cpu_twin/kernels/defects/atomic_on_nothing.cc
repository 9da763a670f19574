// An atomic sum into memory that nobody has cleared.
#include "harness.h"

namespace atomic_on_nothing {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    pass(x, y, room);
    LocalTensor<float> sum = room.take<float>(8);
    GlobalTensor<float> total = global<float>(GetUserWorkspace(workspace));
    Duplicate(sum, 0.0f, 8);
    flag<HardEvent::V_MTE3>();
    if (!Seeded) {
        DataCopy(total, sum, 8);
        PipeBarrier<PIPE_MTE3>();
    }
    SetAtomicAdd<float>();
    DataCopy(total, sum, 8);
    SetAtomicNone();
}

SEEDED_DEFECT(kUninitialised);

} // namespace atomic_on_nothing
