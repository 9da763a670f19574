// A second TPipe, whose buffers lie over those of the first.
#include "harness.h"

namespace second_pipe {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    if (Seeded) {
        Room second(2 * kBytes);
        LocalTensor<half> b = second.take<half>(kHalves);
        Duplicate(b, half(0), kHalves);
    }
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUbCapacity);

} // namespace second_pipe
