// The next tile comes in before the vector unit has read the last one.
#include "harness.h"

namespace missing_flag_v_mte2 {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    constexpr uint32_t tile = kHalves / 2;
    LocalTensor<half> a = room.take<half>(tile), b = room.take<half>(kHalves);
    for (uint32_t i = 0; i < 2; ++i) {
        if (i > 0 && !Seeded) {
            flag<HardEvent::V_MTE2>();
        }
        load(a, global<half>(x)[i * tile], tile);
        Adds(b[i * tile], a, half(1), tile);
    }
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_v_mte2
