// A queue into the vector unit, but it is the transfer out that takes its tensors: the queue's flag stops
// another pipe.
#include "harness.h"

namespace missing_flag_vecin_out {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    if constexpr (Seeded) {
        pipe.InitBuffer(in, 1, kBytes);
        LocalTensor<half> a = in.AllocTensor<half>();
        DataCopy(a, global<half>(x), kHalves);
        in.EnQue(a);
        a = in.DeQue<half>();
        DataCopy(global<half>(y), a, kHalves);
        in.FreeTensor(a);
    } else {
        pipe.InitBuffer(through, 1, kBytes);
        LocalTensor<half> a = through.AllocTensor<half>();
        DataCopy(a, global<half>(x), kHalves);
        through.EnQue(a);
        a = through.DeQue<half>();
        DataCopy(global<half>(y), a, kHalves);
        through.FreeTensor(a);
    }
}

SEEDED_DEFECT(kMissingFlag);

} // namespace missing_flag_vecin_out
