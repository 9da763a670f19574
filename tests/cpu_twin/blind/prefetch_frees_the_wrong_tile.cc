// Two tiles are loaded ahead. The kernel frees the tile before it reads it for the second time.
#include "launch.h"

namespace prefetch_frees_the_wrong_tile {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kTile = 256, kTiles = kHalves / kTile;
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, kTile * sizeof(half));
    pipe.InitBuffer(out, 2, kTile * sizeof(half));
    const auto fetch = [&](uint32_t tile) {
        LocalTensor<half> room = in.AllocTensor<half>();
        DataCopy(room, global<half>(x)[tile * kTile], kTile);
        in.EnQue(room);
    };
    fetch(0);
    fetch(1);
    for (uint32_t t = 0; t < kTiles; ++t) {
        LocalTensor<half> src = in.DeQue<half>();
        LocalTensor<half> dst = out.AllocTensor<half>();
        Muls(dst, src, (half)3, kTile);
        PipeBarrier<PIPE_V>();
        if (!Seeded) {
            Max(dst, dst, src, kTile);
            in.FreeTensor(src);
        } else {
            in.FreeTensor(src);
            Max(dst, dst, src, kTile);
        }
        if (t + 2 < kTiles)
            fetch(t + 2);
        out.EnQue(dst);
        LocalTensor<half> ready = out.DeQue<half>();
        DataCopy(global<half>(y)[t * kTile], ready, kTile);
        out.FreeTensor(ready);
    }
}

void change(twin::Launch& launch, bool) {
    launch.tensors = {input("x", 4096), output("y", 4096)};
}

SEEDED_DEFECT(kUseAfterFree, change);

} // namespace prefetch_frees_the_wrong_tile
