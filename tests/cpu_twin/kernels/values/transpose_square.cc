// Transpose of each of the eight squares of 16 x 16 halves, and the stride that one repeat obeys.
#include "harness.h"

namespace transpose_square {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    for (uint32_t i = 0; i < 7; ++i) {
        Transpose(b[256 * i], a[256 * i]);
    }
    // A single repeat begins one stride behind its addresses.
    LocalTensor<half> to[16], from[16];
    for (uint32_t i = 0; i < 16; ++i) {
        from[i] = a[1536 + i * 16];
        to[i] = b[1536 + i * 16];
    }
    TransDataTo5HD(to, from, {false, false, 1, 16, 16});
    save(global<half>(y), b, kHalves);
}

COMPUTED_VALUES();

} // namespace transpose_square
