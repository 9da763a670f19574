// Eight elements to eight blocks, twice.
#include "harness.h"

namespace broadcast {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(16), b = room.take<half>(kHalves);
    load(a, global<half>(x), 16);
    Duplicate(b, half(0), kHalves);
    PipeBarrier<PIPE_V>();
    Brcb(b, a, 2, {1, 8});
    save(global<half>(y), b, kHalves);
}

COMPUTED_VALUES();

} // namespace broadcast
