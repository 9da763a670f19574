// not(x and 0xf0f0) or (x shifted), in words of 16 bits.
#include "harness.h"

namespace logic {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(6 * kBytes);
    LocalTensor<uint16_t> a = room.take<uint16_t>(kHalves), b = room.take<uint16_t>(kHalves);
    LocalTensor<uint16_t> c = room.take<uint16_t>(kHalves);
    load(a, global<uint16_t>(x), kHalves);
    Duplicate(b, uint16_t(0xf0f0), kHalves);
    PipeBarrier<PIPE_V>();
    And(b, a, b, kHalves);
    ShiftRight(c, a, uint16_t(3), kHalves);
    PipeBarrier<PIPE_V>();
    Not(b, b, kHalves);
    PipeBarrier<PIPE_V>();
    Or(c, b, c, kHalves);
    save(global<uint16_t>(y), c, kHalves);
}

COMPUTED_VALUES();

} // namespace logic
