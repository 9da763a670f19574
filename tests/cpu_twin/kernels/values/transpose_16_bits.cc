// Sixteen rows of 128 halves to 128 rows of sixteen, in eight repeats.
#include "harness.h"

namespace transpose_16_bits {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    uint64_t to[16], from[16];
    for (uint32_t i = 0; i < 16; ++i) {
        from[i] = a[i * 128].GetPhyAddr();
        to[i] = b[i * 16].GetPhyAddr();
    }
    TransDataTo5HD<half>(to, from, {false, false, 8, 16, 1});
    save(global<half>(y), b, kHalves);
}

COMPUTED_VALUES();

} // namespace transpose_16_bits
