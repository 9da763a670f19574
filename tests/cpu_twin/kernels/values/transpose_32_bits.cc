// Sixteen rows of 64 floats to 64 rows of sixteen, in eight repeats.
#include "harness.h"

namespace transpose_32_bits {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<float> a = room.take<float>(kFloats), b = room.take<float>(kFloats);
    load(a, global<float>(x), kFloats);
    LocalTensor<float> to[16], from[16];
    for (uint32_t i = 0; i < 16; ++i) {
        from[i] = a[i * 64];
        to[i] = b[i * 8];
    }
    TransDataTo5HD(to, from, {false, false, 8, 16, 1});
    save(global<float>(y), b, kFloats);
}

COMPUTED_VALUES();

} // namespace transpose_32_bits
