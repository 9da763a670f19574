// Shares of the workspace as wide as one core's numbers, in bytes of half where they are floats.
#include "harness.h"

namespace core_race_workspace {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    const uint32_t part = kFloats / GetBlockNum();
    const uint32_t begin = part * GetBlockIdx();
    const uint32_t share =
        GetBlockIdx() * part * static_cast<uint32_t>(Seeded ? sizeof(half) : sizeof(float));
    Room room(2 * kBytes);
    LocalTensor<float> a = room.take<float>(part);
    const GlobalTensor<float> own = global<float>(GetUserWorkspace(workspace) + share);
    load(a, global<float>(x)[begin], part);
    save(own, a, part);
    flag<HardEvent::MTE3_MTE2>();
    load(a, own, part);
    save(global<float>(y)[begin], a, part);
}

SEEDED_DEFECT(kCoreRace, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace core_race_workspace
