// The kernel writes its input.
#include "harness.h"

namespace read_only {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Adds(a, a, half(1), kHalves);
    save(global<half>(y), a, kHalves);
    if (Seeded) {
        DataCopy(global<half>(x), a, kHalves);
    }
}

SEEDED_DEFECT(kReadOnly);

} // namespace read_only
