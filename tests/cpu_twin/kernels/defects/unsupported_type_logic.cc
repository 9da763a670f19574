// And of 32-bit integers, which A2 and A3 do not have.
#include "harness.h"

namespace unsupported_type_logic {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    if (Seeded) {
        And(a.ReinterpretCast<int32_t>(), a.ReinterpretCast<int32_t>(), a.ReinterpretCast<int32_t>(),
            kFloats);
    } else {
        And(a.ReinterpretCast<int16_t>(), a.ReinterpretCast<int16_t>(), a.ReinterpretCast<int16_t>(),
            kHalves);
    }
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUnsupportedType);

} // namespace unsupported_type_logic
