// Whole repeats for a count that does not fill the last one.
#include "harness.h"

namespace ub_out_of_bounds_rounded_up {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t count = 1000, repeats = Seeded ? 8 : 7;
    Room room(3 * kBytes);
    LocalTensor<half> rest = room.take<half>(kHalves), a = room.take<half>(count);
    DataCopy(rest, global<half>(x), kHalves);
    load(a, global<half>(x), 1008 - 16);
    Duplicate(a[992], half(0), 8);
    PipeBarrier<PIPE_V>();
    Adds(a, a, half(1), 128, repeats, {1, 1, 8, 8});
    if (!Seeded) {
        Adds(a[7 * 128], a[7 * 128], half(1), count - 7 * 128);
    }
    flag<HardEvent::V_MTE3>();
    DataCopyPad(global<half>(y), a, DataCopyExtParams{1, count * sizeof(half), 0, 0, 0});
    DataCopyPad(global<half>(y)[count], rest,
                DataCopyExtParams{1, (kHalves - count) * sizeof(half), 0, 0, 0});
}

SEEDED_DEFECT(kUbOutOfBounds);

} // namespace ub_out_of_bounds_rounded_up
