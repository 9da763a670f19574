// The seven fixed patterns of GatherMask on 256 halves, and one of the kernel's own bits.
#include "harness.h"

namespace gather_patterns {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    LocalTensor<uint16_t> bits = room.take<uint16_t>(16);
    load(a, global<half>(x), kHalves);
    Duplicate(b, half(0), kHalves);
    Duplicate(bits, uint16_t(0x9999), 16);
    PipeBarrier<PIPE_V>();
    uint64_t kept = 0, all = 0;
    for (uint8_t pattern = 1; pattern <= 7; ++pattern) {
        GatherMask(b[(pattern - 1) * 256], a, pattern, false, 0, {1, 2, 8, 0}, kept);
        all += kept;
    }
    GatherMask(b[7 * 256], a, bits, true, 70, {1, 2, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Duplicate(b[kHalves - 16], half(static_cast<float>(all + kept)), 16);
    save(global<half>(y), b, kHalves);
}

COMPUTED_VALUES();

} // namespace gather_patterns
