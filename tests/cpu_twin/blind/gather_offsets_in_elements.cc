// Reverses 128 half values. Gather takes byte offsets; these are element indices.
#include "launch.h"

namespace gather_offsets_in_elements {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kCount = 128;
    constexpr uint32_t kUnit = Seeded ? 1 : sizeof(half);
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, kCount);
    gy.SetGlobalBuffer((__gm__ half*)y, kCount);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> offsetBuf;
    pipe.InitBuffer(in, 1, kCount * sizeof(half));
    pipe.InitBuffer(out, 1, kCount * sizeof(half));
    pipe.InitBuffer(offsetBuf, kCount * sizeof(uint32_t));
    LocalTensor<uint32_t> offsets = offsetBuf.Get<uint32_t>();
    for (uint32_t i = 0; i < kCount; ++i)
        offsets.SetValue(i, (kCount - 1 - i) * kUnit);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    LocalTensor<half> lx = in.AllocTensor<half>();
    DataCopy(lx, gx, kCount);
    in.EnQue(lx);
    LocalTensor<half> src = in.DeQue<half>();
    LocalTensor<half> dst = out.AllocTensor<half>();
    Gather(dst, src, offsets, 0u, kCount);
    in.FreeTensor(src);
    out.EnQue(dst);
    LocalTensor<half> ready = out.DeQue<half>();
    DataCopy(gy, ready, kCount);
    out.FreeTensor(ready);
}

void change(twin::Launch& launch, bool) {
    launch.block_dim = 1;
    launch.tensors = {input("x", 256), output("y", 256)};
}

SEEDED_DEFECT(kGatherOffset, change);

} // namespace gather_offsets_in_elements
