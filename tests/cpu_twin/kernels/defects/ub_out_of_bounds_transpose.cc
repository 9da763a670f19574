// A transpose of 16 rows, where the last tile has eight.
#include "harness.h"

namespace ub_out_of_bounds_transpose {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t row = kHalves / 16, rows = Seeded ? 8 : 16;
    Room room(3 * kBytes);
    LocalTensor<half> b = room.take<half>(kHalves), a = room.take<half>(rows * row);
    load(a, global<half>(x), rows * row);
    LocalTensor<half> to[16], from[16];
    for (uint32_t i = 0; i < 16; ++i) {
        from[i] = a[i * row];
        to[i] = b[i * 16];
    }
    TransDataTo5HD(to, from, {false, false, row / 16, 16, 1});
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kUbOutOfBounds);

} // namespace ub_out_of_bounds_transpose
