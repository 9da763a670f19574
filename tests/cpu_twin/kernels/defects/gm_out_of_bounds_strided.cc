// The last block of a strided transfer lies past the input.
#include "harness.h"

namespace gm_out_of_bounds_strided {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), extra = room.take<half>(256);
    load(a, global<half>(x), kHalves);
    const DataCopyExtParams blocks(16, 32, (Seeded ? 256 : 224), 0, 0);
    DataCopyPad(extra, global<half>(x), blocks, DataCopyPadExtParams<half>());
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kGmOutOfBounds);

} // namespace gm_out_of_bounds_strided
