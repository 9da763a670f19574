// Widens 1024 half values to float. They lie in the upper half of the very buffer that takes the floats.
#include "launch.h"

namespace cast_in_place_overlap {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kCount = 1024;
    GlobalTensor<half> gx;
    GlobalTensor<float> gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kCount);
    gy.SetGlobalBuffer((__gm__ float*)y, kCount);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 2 * kCount * sizeof(float));
    LocalTensor<float> wide = buf.Get<float>();
    LocalTensor<half> narrow = wide[Seeded ? kCount / 2 : kCount].ReinterpretCast<half>();
    DataCopy(narrow, gx, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Cast(wide, narrow, RoundMode::CAST_NONE, kCount);
    PipeBarrier<PIPE_V>();
    Muls(wide, wide, 0.5f, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, wide, kCount);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 2048), output("y", 4096)};
}

SEEDED_DEFECT(kOperandOverlap, change);

} // namespace cast_in_place_overlap
