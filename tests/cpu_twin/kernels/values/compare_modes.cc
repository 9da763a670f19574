// The six comparisons of x[:1024] with x[1024:], and with 0, as A2 and A3 make them.
#include "harness.h"

namespace compare_modes {

void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(4 * kBytes);
    LocalTensor<half> a = room.take<half>(kHalves);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kBytes);
    load(a, global<half>(x), kHalves);
    Duplicate(bits.ReinterpretCast<uint16_t>(), uint16_t(0), kHalves);
    PipeBarrier<PIPE_V>();
    constexpr uint32_t count = kHalves / 2, row = count / 8;
    const CMPMODE modes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ, CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};
    for (uint32_t i = 0; i < 6; ++i) {
        Compare(bits[i * row], a, a[count], modes[i], count);
        CompareScalar(bits[(i + 8) * row], a, half(0), modes[i], count);
    }
    save(global<uint8_t>(y), bits, kBytes);
}

COMPUTED_VALUES();

} // namespace compare_modes
