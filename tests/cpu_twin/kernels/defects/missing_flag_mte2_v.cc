// The vector unit does not wait for a transfer into the unified buffer.
#include "harness.h"

namespace missing_flag_mte2_v {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), kHalves);
    if (!Seeded) {
        flag<HardEvent::MTE2_V>();
    }
    Adds(b, a, half(1), kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_mte2_v
