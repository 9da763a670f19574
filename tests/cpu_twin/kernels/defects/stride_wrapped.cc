// A repeat stride of 256 blocks, which 8 bits make 0.
#include "harness.h"

namespace stride_wrapped {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t stride = Seeded ? 256 : 255;
    Room room(64 * 1024);
    LocalTensor<half> a = room.take<half>(16 * 264);
    LocalTensor<half> b = room.take<half>(kHalves);
    Duplicate(a, half(1), 16 * 264);
    Duplicate(b, half(1), kHalves);
    PipeBarrier<PIPE_V>();
    Adds(b, a, half(1), 128, 2, {1, 1, 8, stride});
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kStrideWrapped);

} // namespace stride_wrapped
