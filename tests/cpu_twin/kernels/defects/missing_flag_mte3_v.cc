// The vector unit writes the next result over one that is still on its way out.
#include "harness.h"

namespace missing_flag_mte3_v {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    constexpr uint32_t tile = kHalves / 2;
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(tile);
    load(a, global<half>(x), kHalves);
    for (uint32_t i = 0; i < 2; ++i) {
        if (i > 0 && !Seeded) {
            flag<HardEvent::MTE3_V>();
        }
        Adds(b, a[i * tile], half(1), tile);
        save(global<half>(y)[i * tile], b, tile);
    }
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_mte3_v
