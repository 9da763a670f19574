// y = x, in tiles of 100 halves through queues with two buffers, on three cores.
#include "harness.h"

namespace copy_tiles {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t tile = 100;
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, 2 * tile);
    pipe.InitBuffer(out, 2, 2 * tile);
    for (uint32_t begin = tile * GetBlockIdx(); begin < kHalves; begin += tile * GetBlockNum()) {
        const uint32_t count = begin + tile < kHalves ? tile : kHalves - begin;
        const DataCopyExtParams params(1, 2 * count, 0, 0, 0);
        LocalTensor<half> a = in.AllocTensor<half>();
        DataCopyPad(a, global<half>(x)[begin], params, DataCopyPadExtParams<half>());
        in.EnQue(a);
        a = in.DeQue<half>();
        LocalTensor<half> b = out.AllocTensor<half>();
        Adds(b, a, half(0), count);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<half>();
        DataCopyPad(global<half>(y)[begin], b, params);
        out.FreeTensor(b);
    }
}

COMPUTED_VALUES([](twin::Launch& launch, bool) { launch.block_dim = 3; });

} // namespace copy_tiles
