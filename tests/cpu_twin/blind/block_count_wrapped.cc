// 65600 pixels of 2 B, one a block: the count of blocks holds 16 bits and comes out as 64.
#include "launch.h"

namespace block_count_wrapped {

void copy(const GlobalTensor<half>& gy, const GlobalTensor<half>& gx, const LocalTensor<half>& local,
          uint32_t count, uint32_t step) {
    for (uint32_t at = 0; at < count; at += step) {
        DataCopyExtParams one;
        one.blockCount = count - at < step ? count - at : step;
        one.blockLen = sizeof(half);
        one.srcStride = one.dstStride = 0;
        DataCopyPad(local, gx[at], one, DataCopyPadExtParams<half>{false, 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(gy[at], local, one);
        PipeBarrier<PIPE_ALL>();
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kCount = 65600;
    Room room(131072);
    LocalTensor<half> local = room.take<half>(65536);
    copy(global<half>(y), global<half>(x), local, kCount, Seeded ? kCount : 4095);
}

void change(twin::Launch& launch, bool) {
    launch.tensors = {input("x", 131200), output("y", 131200)};
}

SEEDED_DEFECT(kDmaLimit, change);

} // namespace block_count_wrapped
