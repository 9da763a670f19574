// One tensor is put into its queue twice.
#include "harness.h"

namespace queue_misuse_enqued_twice {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TBuf<> buffer;
    pipe.InitBuffer(in, 2, kBytes);
    pipe.InitBuffer(buffer, kBytes);
    LocalTensor<half> b = buffer.Get<half>();
    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, global<half>(x), kHalves);
    in.EnQue(a);
    if (Seeded) {
        in.EnQue(a);
    }
    a = in.DeQue<half>();
    Adds(b, a, half(1), kHalves);
    in.FreeTensor(a);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kQueueMisuse);

} // namespace queue_misuse_enqued_twice
