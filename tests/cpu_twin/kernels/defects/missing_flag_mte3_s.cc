// A scalar load from the output, which a transfer is still writing.
#include "harness.h"

namespace missing_flag_mte3_s {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    GlobalTensor<half> out = global<half>(y);
    save(out, a, kHalves);
    if (!Seeded) {
        flag<HardEvent::MTE3_S>();
    }
    const half last = out.GetValue(0);
    flag<HardEvent::S_V>();
    flag<HardEvent::S_MTE3>();
    flag<HardEvent::MTE3_V>();
    Duplicate(a, last, 16);
    flag<HardEvent::V_MTE3>();
    PipeBarrier<PIPE_MTE3>();
    DataCopy(out, a, 16);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_mte3_s
