// Zeros behind the last number of a row that ends within a block.
#include "harness.h"

namespace ub_unaligned_tail_fill {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t count = 1000;
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    if (Seeded) {
        load(a, global<half>(x), 1008);
        Duplicate(a[count], half(0), kHalves - count);
    } else { // first the zeros, in whole blocks
        Duplicate(a[992], half(0), kHalves - 992);
        flag<HardEvent::V_MTE2>();
        DataCopyPad(a, global<half>(x), {1, count * sizeof(half), 0, 0, 0},
                    DataCopyPadExtParams<half>{true, 0, 8, half(0)});
        flag<HardEvent::MTE2_V>();
    }
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUbUnaligned);

} // namespace ub_unaligned_tail_fill
