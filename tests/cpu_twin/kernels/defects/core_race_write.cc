// Two cores write one place of the output: rows that overlap.
#include "harness.h"

namespace core_race_write {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    const uint32_t part = kHalves / GetBlockNum();
    const uint32_t begin = part * GetBlockIdx();
    const uint32_t count = part + (Seeded && GetBlockIdx() + 1 < GetBlockNum() ? 16 : 0);
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x)[begin], count);
    save(global<half>(y)[begin], a, count);
}

SEEDED_DEFECT(kCoreRace, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace core_race_write
