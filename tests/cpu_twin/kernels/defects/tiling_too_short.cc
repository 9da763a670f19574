// Tiling data of another structure than the kernel reads.
#include "harness.h"

namespace tiling_too_short {

struct Data {
    uint32_t low, high;
};

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(Data, data, tiling);
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    Duplicate(a, half(static_cast<float>(data.low + data.high)), kHalves);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kTilingTooShort,
              [](twin::Launch& launch, bool faulty) { launch.tiling.resize(faulty ? 4 : 8); });

} // namespace tiling_too_short
