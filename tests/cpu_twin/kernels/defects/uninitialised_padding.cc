// A tail's padding is computed with and written out.
#include "harness.h"

namespace uninitialised_padding {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    DataCopyPad(a, global<half>(x), DataCopyExtParams(1, kBytes - (Seeded ? 6 : 0), 0, 0, 0),
                DataCopyPadExtParams<half>());
    flag<HardEvent::MTE2_V>();
    Adds(b, a, half(1), kHalves);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kUninitialised);

} // namespace uninitialised_padding
