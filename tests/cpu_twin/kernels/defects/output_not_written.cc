// A gap in what the cores write of the output.
#include "harness.h"

namespace output_not_written {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    const uint32_t part = kHalves / GetBlockNum();
    const uint32_t begin = part * GetBlockIdx();
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(part);
    load(a, global<half>(x)[begin], part);
    save(global<half>(y)[begin], a, part - (Seeded && GetBlockIdx() == 1 ? 16 : 0));
}

SEEDED_DEFECT(kOutputNotWritten, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace output_not_written
