// Maximum of each pixel of 16 lanes and the next one, written over the row it is read from.
#include "launch.h"

namespace shift_down_in_place {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kCount = kHalves - 16;
    Room room(3 * kBytes);
    LocalTensor<half> row = room.take<half>(kHalves), out = room.take<half>(kHalves);
    load(row, global<half>(x), kHalves);
    const LocalTensor<half> result = Seeded ? row : out;
    Max(result, row, row[16], kCount);
    save(global<half>(y), result, kCount);
}

void change(twin::Launch& launch, bool) {
    launch.tensors = {input("x", 4096), output("y", 4064)};
}

SEEDED_DEFECT(kOperandOverlap, change);

} // namespace shift_down_in_place
