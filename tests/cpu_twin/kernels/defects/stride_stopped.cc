// A repeat stride of the destination that the kernel's own cast has made 0.
#include "harness.h"

namespace stride_stopped {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t stride = Seeded ? 256 : 8;
    Room room(3 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    Duplicate(b, half(1), kHalves);
    PipeBarrier<PIPE_V>();
    Adds(b, a, half(1), 128, 4, {1, 1, static_cast<uint8_t>(stride), 8});
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kStrideWrapped);

} // namespace stride_stopped
