// A scalar load of what nobody has written.
#include "harness.h"

namespace uninitialised_scalar {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    if (!Seeded) {
        a.SetValue(5, half(2));
    }
    const half value = a.GetValue(5);
    flag<HardEvent::S_V>();
    Duplicate(a, value, kHalves);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUninitialised);

} // namespace uninitialised_scalar
