// float(x[:1024]) + x[1024:] as halves, in floats; and in halves, x[:512] taken off it.
#include "harness.h"

namespace axpy {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(6 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    LocalTensor<float> sum = room.take<float>(kFloats);
    load(a, global<half>(x), kHalves);
    Cast(sum, a, RoundMode::CAST_NONE, kFloats);
    PipeBarrier<PIPE_V>();
    Axpy(sum, a[kFloats], half(1), 512);
    Axpy(sum[512], a[kFloats + 512], half(1), 64, 8, {1, 1, 8, 4});
    Axpy(a[512], a, half(-1), 512);
    PipeBarrier<PIPE_V>();
    LocalTensor<half> low = sum[512].ReinterpretCast<half>();
    Adds(low, a[512], half(0), 512);
    save(global<float>(y), sum, kFloats);
}

COMPUTED_VALUES();

} // namespace axpy
