// FreeTensor of a tensor that is free already.
#include "harness.h"

namespace queue_misuse_freed_twice {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, kBytes);
    pipe.InitBuffer(out, 1, kBytes);
    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, global<half>(x), kHalves);

    in.EnQue(a);
    a = in.DeQue<half>();
    LocalTensor<half> b = out.AllocTensor<half>();
    Adds(b, a, half(1), kHalves);
    in.FreeTensor(a);
    if (Seeded) {
        in.FreeTensor(a);
    }
    out.EnQue(b);
    b = out.DeQue<half>();
    DataCopy(global<half>(y), b, kHalves);
    out.FreeTensor(b);
}

SEEDED_DEFECT(kQueueMisuse);

} // namespace queue_misuse_freed_twice
