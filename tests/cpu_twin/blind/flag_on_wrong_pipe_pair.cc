// y = a + b, tile by tile, buffers and flags by hand. The copy out waits for the copy in, not for the Add.
#include "launch.h"

namespace flag_on_wrong_pipe_pair {

template <bool Seeded>
void kernel(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kTile = 512, kTiles = 4;
    const uint32_t first = GetBlockIdx() * kTile * kTiles;
    GlobalTensor<half> ga, gb, gy;
    ga.SetGlobalBuffer((__gm__ half*)a + first, kTile * kTiles);
    gb.SetGlobalBuffer((__gm__ half*)b + first, kTile * kTiles);
    gy.SetGlobalBuffer((__gm__ half*)y + first, kTile * kTiles);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 3 * kTile * sizeof(half));
    LocalTensor<half> la = buf.Get<half>();
    LocalTensor<half> lb = la[kTile];
    LocalTensor<half> ly = la[2 * kTile];
    for (uint32_t t = 0; t < kTiles; ++t) {
        if (t > 0)
            WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
        DataCopy(la, ga[t * kTile], kTile);
        DataCopy(lb, gb[t * kTile], kTile);
        if (Seeded) {
            SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        }
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        if (t > 0)
            WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
        Add(ly, la, lb, kTile);
        if (t + 1 < kTiles)
            SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
        if (!Seeded) {
            SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        } else {
            WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        }
        DataCopy(gy[t * kTile], ly, kTile);
        if (t + 1 < kTiles)
            SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
    }
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 2;
    launch.tensors = {input("a", 8192), input("b", 8192), output("y", 8192)};
}

SEEDED_DEFECT(kMissingFlag, change);

} // namespace flag_on_wrong_pipe_pair
