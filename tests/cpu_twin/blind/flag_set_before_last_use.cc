// y = 2 x with two buffers by hand. The flag that lets the next load in is set before the Muls that reads the
// buffer.
#include "launch.h"

namespace flag_set_before_last_use {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kTile = 1024, kTiles = 6;
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kTile * kTiles);
    gy.SetGlobalBuffer((__gm__ half*)y, kTile * kTiles);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 4 * kTile * sizeof(half));
    LocalTensor<half> all = buf.Get<half>();
    for (int32_t side = 0; side < 2; ++side) {
        SetFlag<HardEvent::V_MTE2>(side);
        SetFlag<HardEvent::MTE3_V>(side);
    }
    for (uint32_t t = 0; t < kTiles; ++t) {
        const int32_t side = t % 2;
        LocalTensor<half> src = all[side * kTile];
        LocalTensor<half> dst = all[(2 + side) * kTile];
        WaitFlag<HardEvent::V_MTE2>(side);
        DataCopy(src, gx[t * kTile], kTile);
        SetFlag<HardEvent::MTE2_V>(side);
        WaitFlag<HardEvent::MTE2_V>(side);
        WaitFlag<HardEvent::MTE3_V>(side);
        if (!Seeded) {
            Muls(dst, src, (half)2, kTile);
            SetFlag<HardEvent::V_MTE2>(side);
        } else {
            SetFlag<HardEvent::V_MTE2>(side);
            Muls(dst, src, (half)2, kTile);
        }
        SetFlag<HardEvent::V_MTE3>(side);
        WaitFlag<HardEvent::V_MTE3>(side);
        DataCopy(gy[t * kTile], dst, kTile);
        SetFlag<HardEvent::MTE3_V>(side);
    }
    for (int32_t side = 0; side < 2; ++side) {
        WaitFlag<HardEvent::V_MTE2>(side);
        WaitFlag<HardEvent::MTE3_V>(side);
    }
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 12288), output("y", 12288)};
}

SEEDED_DEFECT(kMissingFlag, change);

} // namespace flag_set_before_last_use
