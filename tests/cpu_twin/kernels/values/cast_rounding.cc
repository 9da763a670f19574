// float(x[:256]) * 1.0003 to half in the seven rounding modes.
#include "harness.h"

namespace cast_rounding {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(6 * kBytes);
    LocalTensor<half> a = room.take<half>(256), b = room.take<half>(kHalves);
    LocalTensor<float> wide = room.take<float>(256);
    load(a, global<half>(x), 256);
    Duplicate(b, half(0), kHalves);
    Cast(wide, a, RoundMode::CAST_NONE, 256);
    PipeBarrier<PIPE_V>();
    Muls(wide, wide, 1.0003f, 256);
    PipeBarrier<PIPE_V>();
    const RoundMode modes[] = {RoundMode::CAST_NONE, RoundMode::CAST_RINT,  RoundMode::CAST_FLOOR,
                               RoundMode::CAST_CEIL, RoundMode::CAST_ROUND, RoundMode::CAST_TRUNC,
                               RoundMode::CAST_ODD};
    for (uint32_t i = 0; i < 7; ++i) {
        Cast(b[i * 256], wide, modes[i], 256);
    }
    save(global<half>(y), b, kHalves);
}

COMPUTED_VALUES();

} // namespace cast_rounding
