// A part of a tensor, named before FreeTensor, is read behind it.
#include "harness.h"

namespace use_after_free_part {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TBuf<> buffer;
    pipe.InitBuffer(in, 1, kBytes);
    pipe.InitBuffer(buffer, kBytes);
    LocalTensor<float> b = buffer.Get<float>();
    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, global<half>(x), kHalves);
    in.EnQue(a);
    a = in.DeQue<half>();
    const LocalTensor<float> upper = a[kHalves / 2].template ReinterpretCast<float>();
    Adds(b, a.template ReinterpretCast<float>(), 1.0f, kFloats / 2);
    if (Seeded) {
        in.FreeTensor(a);
    }
    Adds(b[kFloats / 2], upper, 1.0f, kFloats / 2);
    if (!Seeded) {
        in.FreeTensor(a);
    }
    save(global<float>(y), b, kFloats);
}

SEEDED_DEFECT(kUseAfterFree);

} // namespace use_after_free_part
