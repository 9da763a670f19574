// Rows go out one behind the other, where the output has gaps between them for those of the other cores.
#include "harness.h"

namespace output_not_written_stride {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t row = 64, rows = kHalves / row;
    const uint32_t own = rows / GetBlockNum(), gap = (GetBlockNum() - 1) * row * sizeof(half);
    const GlobalTensor<half> in = global<half>(x)[GetBlockIdx() * row];
    const GlobalTensor<half> out = global<half>(y)[GetBlockIdx() * row];
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(own * row);
    const uint16_t blocks = static_cast<uint16_t>(own);
    DataCopyPad(a, in, {blocks, row * sizeof(half), gap, 0, 0}, DataCopyPadExtParams<half>{false, 0, 0, 0});
    flag<HardEvent::MTE2_MTE3>();
    DataCopyPad(out, a, DataCopyExtParams{blocks, row * sizeof(half), 0, Seeded ? 0 : gap, 0});
}

SEEDED_DEFECT(kOutputNotWritten, [](twin::Launch& launch, bool) { launch.block_dim = 4; });

} // namespace output_not_written_stride
