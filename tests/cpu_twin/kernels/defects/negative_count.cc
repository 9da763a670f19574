// A tail's count that has become negative.
#include "harness.h"

namespace negative_count {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    const int32_t tail = static_cast<int32_t>(kHalves) - (Seeded ? 3000 : 2000);
    Adds(a, a, half(1), tail);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kMaskRange);

} // namespace negative_count
