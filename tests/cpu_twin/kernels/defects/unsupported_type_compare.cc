// Compare of 16-bit integers, which A2 and A3 do not have.
#include "harness.h"

namespace unsupported_type_compare {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kHalves / 8);
    load(a, global<half>(x), kHalves);
    if (Seeded) {
        Compare(bits, a.ReinterpretCast<int16_t>(), a.ReinterpretCast<int16_t>(), CMPMODE::EQ, kHalves);
    } else {
        Compare(bits, a, a, CMPMODE::EQ, kHalves);
    }
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUnsupportedType);

} // namespace unsupported_type_compare
