// The next tile comes in before the last one, which nothing computes with, has gone out.
#include "harness.h"

namespace missing_flag_mte3_mte2 {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t tile = kHalves / 4;
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(tile);
    for (uint32_t at = 0; at < kHalves; at += tile) {
        DataCopy(a, global<half>(x)[at], tile);
        flag<HardEvent::MTE2_MTE3>();
        DataCopy(global<half>(y)[at], a, tile);
        if (!Seeded) {
            flag<HardEvent::MTE3_MTE2>();
        }
    }
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_mte3_mte2
