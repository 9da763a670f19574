// Sixteen repeats added into one, by a destination that stands still.
#include "harness.h"

namespace accumulate {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<float> a = room.take<float>(kFloats), sum = room.take<float>(64);
    load(a, global<float>(x), kFloats);
    Duplicate(a, 1.0f, kFloats);
    Duplicate(sum, 0.0f, 64);
    PipeBarrier<PIPE_V>();
    Add(sum, a, sum, 64, 16, {1, 1, 1, 0, 8, 0});
    PipeBarrier<PIPE_V>();
    Copy(a, sum, 64, 1, {1, 1, 8, 8});
    save(global<float>(y), a, kFloats);
}

COMPUTED_VALUES();

} // namespace accumulate
