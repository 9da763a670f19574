// 68 KB in one block of DataCopyParams, whose length in bytes holds 16 bits.
#include "launch.h"

namespace block_length_wrapped {

template <bool Seeded>
void move(const GlobalTensor<half>& gy, const GlobalTensor<half>& gx, const LocalTensor<half>& local,
          uint32_t bytes) {
    if (!Seeded) {
        const DataCopyExtParams long_block{1, bytes, 0, 0, 0};
        DataCopyPad(local, gx, long_block, DataCopyPadExtParams<half>{false, 0, 0, 0});
        flag<HardEvent::MTE2_MTE3>();
        DataCopyPad(gy, local, long_block);
    } else {
        DataCopyParams block;
        block.blockCount = 1;
        block.blockLen = bytes;
        DataCopyPad(local, gx, block, DataCopyPadParams{false, 0, 0, 0});
        flag<HardEvent::MTE2_MTE3>();
        DataCopyPad(gy, local, block);
    }
}

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(69632);
    LocalTensor<half> local = room.take<half>(34816);
    move<Seeded>(global<half>(y), global<half>(x), local, 69632);
}

void change(twin::Launch& launch, bool) {
    launch.tensors = {input("x", 69632), output("y", 69632)};
}

SEEDED_DEFECT(kDmaLimit, change);

} // namespace block_length_wrapped
