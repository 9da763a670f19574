// The high halves of sixteen blocks of bytes, to the low halves of sixteen.
#include "harness.h"

namespace transpose_8_bits {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<uint8_t> a = room.take<uint8_t>(kBytes), b = room.take<uint8_t>(kBytes);
    load(a, global<uint8_t>(x), kBytes);
    Duplicate(b.ReinterpretCast<uint16_t>(), uint16_t(0), kHalves);
    PipeBarrier<PIPE_V>();
    LocalTensor<uint8_t> to[16], from[16];
    for (uint32_t i = 0; i < 16; ++i) {
        from[i] = a[i * 32];
        to[i] = b[i * 32];
    }
    TransDataTo5HD(to, from, {false, true, 1, 0, 0});
    save(global<uint8_t>(y), b, kBytes);
}

COMPUTED_VALUES();

} // namespace transpose_8_bits
