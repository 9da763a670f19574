// float(x[:1024]) + float(x[1024:]), then minus 1.
#include "harness.h"

namespace sum_float {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(6 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    LocalTensor<float> low = room.take<float>(kFloats), high = room.take<float>(kFloats);
    load(a, global<half>(x), kHalves);
    Cast(low, a, RoundMode::CAST_NONE, kFloats);
    Cast(high, a[kFloats], RoundMode::CAST_NONE, 64, kFloats / 64, {1, 1, 8, 4});
    PipeBarrier<PIPE_V>();
    Add(low, low, high, kFloats);
    PipeBarrier<PIPE_V>();
    Adds(low, low, -1.0f, kFloats);
    save(global<float>(y), low, kFloats);
}

COMPUTED_VALUES();

} // namespace sum_float
