// Two buffers take turns, and the transfer in waits for the flag of the other one.
#include "harness.h"

namespace flag_set_twice_other_buffer {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t tile = kHalves / 8;
    Room room(3 * kBytes);
    LocalTensor<half> all = room.take<half>(kHalves);
    LocalTensor<half> buffers[] = {room.take<half>(tile), room.take<half>(tile)};
    SetFlag<HardEvent::V_MTE2>(0);
    SetFlag<HardEvent::V_MTE2>(1);
    for (int i = 0; i < 8; ++i) {
        WaitFlag<HardEvent::V_MTE2>(Seeded ? (i + 1) % 2 : i % 2);
        DataCopy(buffers[i % 2], global<half>(x)[i * tile], tile);
        SetFlag<HardEvent::MTE2_V>(i % 2);
        WaitFlag<HardEvent::MTE2_V>(i % 2);
        Adds(all[i * tile], buffers[i % 2], half(1), tile);
        SetFlag<HardEvent::V_MTE2>(i % 2);
    }
    WaitFlag<HardEvent::V_MTE2>(0);
    WaitFlag<HardEvent::V_MTE2>(1);
    save(global<half>(y), all, kHalves);
}

SEEDED_DEFECT(kFlagSetTwice);

} // namespace flag_set_twice_other_buffer
