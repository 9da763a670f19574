// More blocks than one transfer has.
#include "harness.h"

namespace dma_limit_blocks {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t blocks = Seeded ? 4096 : 4095;
    Room room(32 * 4096 + kBytes);
    LocalTensor<half> rows = room.take<half>(16 * 4096);
    LocalTensor<half> a = room.take<half>(kHalves);
    DataCopyPad(rows, global<half>(GetUserWorkspace(workspace)), DataCopyExtParams(blocks, 2, 0, 0, 0),
                DataCopyPadExtParams<half>(true, 0, 15, half(0)));
    load(a, global<half>(x), kHalves);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kDmaLimit, [](twin::Launch& launch, bool) { launch.workspace_bytes += 8192; });

} // namespace dma_limit_blocks
