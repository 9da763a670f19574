// The flag is set before the second of two transfers.
#include "harness.h"

namespace missing_flag_too_early {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    constexpr uint32_t tile = kHalves / 2;
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    DataCopy(a, global<half>(x), tile);
    if (Seeded) {
        SetFlag<HardEvent::MTE2_V>(0);
    }
    DataCopy(a[tile], global<half>(x)[tile], tile);
    if (!Seeded) {
        SetFlag<HardEvent::MTE2_V>(0);
    }
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(b, a, half(1), kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_too_early
