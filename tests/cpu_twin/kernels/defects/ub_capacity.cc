// Buffers of more than the 192 KB that a core has.
#include "harness.h"

namespace ub_capacity {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TBuf<> first, second;
    pipe.InitBuffer(first, 96 * 1024);
    pipe.InitBuffer(second, Seeded ? 97 * 1024 : 96 * 1024);
    LocalTensor<half> a = first.Get<half>();
    load(a, global<half>(x), kHalves);
    save(global<half>(y), a, kHalves);
}

SEEDED_DEFECT(kUbCapacity);

} // namespace ub_capacity
