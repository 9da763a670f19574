// More tensors in a queue than its depth.
#include "harness.h"

namespace queue_misuse_depth {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TQue<QuePosition::VECIN, Seeded ? 1 : 2> in;
    TBuf<> rest;
    constexpr uint32_t tile = kHalves / 2;
    pipe.InitBuffer(in, 2, tile * sizeof(half));
    pipe.InitBuffer(rest, kBytes);
    LocalTensor<half> all = rest.Get<half>();
    for (uint32_t i = 0; i < 2; ++i) {
        LocalTensor<half> a = in.template AllocTensor<half>();
        DataCopy(a, global<half>(x)[i * tile], tile);
        in.EnQue(a);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        LocalTensor<half> a = in.template DeQue<half>();
        Adds(all[i * tile], a, half(1), tile);
        in.FreeTensor(a);
    }
    save(global<half>(y), all, kHalves);
}

SEEDED_DEFECT(kQueueMisuse);

} // namespace queue_misuse_depth
