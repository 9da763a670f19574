// max(min((x + x[reversed tiles]) * 3, 20), -20) in halves, rounded after every step.
#include "harness.h"

namespace arithmetic_half {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    for (uint32_t i = 0; i < 16; ++i) {
        load(b[i * 128], global<half>(x)[(15 - i) * 128], 128);
    }
    Add(b, a, b, 128, 16, {1, 1, 1, 8, 8, 8});
    PipeBarrier<PIPE_V>();
    Muls(b, b, half(3), kHalves);
    PipeBarrier<PIPE_V>();
    Mins(b, b, half(20), kHalves);
    PipeBarrier<PIPE_V>();
    Maxs(b, b, half(-20), kHalves);
    save(global<half>(y), b, kHalves);
}

COMPUTED_VALUES();

} // namespace arithmetic_half
