// A Cast to a wider type with a rounding mode.
#include "harness.h"

namespace unsupported_mode {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kFloats);
    LocalTensor<float> b = room.take<float>(kFloats);
    load(a, global<half>(x), kFloats);
    Cast(b, a, Seeded ? RoundMode::CAST_RINT : RoundMode::CAST_NONE, kFloats);
    save(global<float>(y), b, kFloats);
}

SEEDED_DEFECT(kUnsupportedMode);

} // namespace unsupported_mode
