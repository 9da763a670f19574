// Scalar loads and stores, in both memories, add up x[:64] and count.
#include "harness.h"

namespace scalar_unit {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    load(a, global<half>(x), kHalves);
    flag<HardEvent::MTE2_S>();
    GlobalTensor<half> from = global<half>(x);
    float near = 0, far = 0;
    for (uint32_t i = 0; i < 7; ++i) {
        near += a.GetValue(i);
        far += from.GetValue(i);
    }
    a.SetValue(0, half(near));
    flag<HardEvent::S_MTE3>();
    DataCopy(global<half>(y), a, kHalves);
    flag<HardEvent::MTE3_S>();
    GlobalTensor<half> last = global<half>(y)[kHalves - 32];
    last.SetValue(0, half(far));
    DataCacheCleanAndInvalid<half, CacheLine::SINGLE_CACHE_LINE>(last);
}

COMPUTED_VALUES();

} // namespace scalar_unit
