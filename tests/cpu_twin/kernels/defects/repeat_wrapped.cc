// A repeat count of 256, which 8 bits make 0: nothing is computed.
#include "harness.h"

namespace repeat_wrapped {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t repeats = Seeded ? 256 : 255;
    Room room(176 * 1024);
    LocalTensor<half> a = room.take<half>(128 * repeats);
    Duplicate(a, half(1), 128 * repeats);
    PipeBarrier<PIPE_V>();
    Adds(a, a, half(1), 128, repeats, {1, 1, 8, 8});
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kRepeatWrapped);

} // namespace repeat_wrapped
