// Queues with more than eight buffers between two pipes.
#include "harness.h"

namespace event_id_exhausted {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TQue<QuePosition::VECIN, 9> queue;
    TBuf<> rest;
    constexpr uint32_t buffers = Seeded ? 9 : 8;
    pipe.InitBuffer(queue, buffers, 32);
    for (uint32_t i = 0; i < buffers; ++i) {
        LocalTensor<half> tile = queue.AllocTensor<half>();
        DataCopy(tile, global<half>(x)[i * 16], 16);
        queue.EnQue(tile);
    }
    for (uint32_t i = 0; i < buffers; ++i) {
        LocalTensor<half> tile = queue.DeQue<half>();
        queue.FreeTensor(tile);
    }
    pipe.InitBuffer(rest, kBytes);
    LocalTensor<half> all = rest.Get<half>();
    Duplicate(all, half(1), kHalves);
    save(global<half>(y), all, kHalves);
}

SEEDED_DEFECT(kEventId);

} // namespace event_id_exhausted
