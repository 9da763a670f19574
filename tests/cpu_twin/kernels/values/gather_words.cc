// x[1023 - i] for each i below 1024, from a base 64 B on, and whole blocks backwards.
#include "harness.h"

namespace gather_words {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(6 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves), b = room.take<half>(kHalves);
    LocalTensor<int32_t> offsets = room.take<int32_t>(1024);
    load(a, global<half>(x), kHalves);
    Duplicate(b, half(0), kHalves);
    CreateVecIndex(offsets, int32_t(0), 1024);
    PipeBarrier<PIPE_V>();
    Muls(offsets, offsets, int32_t(-2), 1024);
    PipeBarrier<PIPE_V>();
    Adds(offsets, offsets, int32_t(2 * 1023), 1024);
    PipeBarrier<PIPE_V>();
    Gather(b, a, offsets.ReinterpretCast<uint32_t>(), 64, 1024);
    PipeBarrier<PIPE_V>();
    Muls(offsets, offsets, int32_t(16), 64);
    PipeBarrier<PIPE_V>();
    Adds(offsets, offsets, int32_t(-32 * 1023 + 32 * 63), 64);
    PipeBarrier<PIPE_V>();
    Gatherb(b[1024], a, offsets.ReinterpretCast<uint32_t>(), 8, {1, 8});
    save(global<half>(y), b, kHalves);
}

COMPUTED_VALUES();

} // namespace gather_words
