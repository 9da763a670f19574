// A flag by hand, with the id that a queue has taken for its own.
#include "harness.h"

namespace flag_set_twice_queue {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TBuf<> buffer;
    pipe.InitBuffer(in, 1, kBytes);
    pipe.InitBuffer(buffer, kBytes);
    LocalTensor<half> b = buffer.Get<half>();
    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, global<half>(x), kHalves);
    in.EnQue(a);
    const TEventID id = Seeded ? EVENT_ID0 : pipe.AllocEventID<HardEvent::MTE2_V>();
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    if (!Seeded) {
        pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
    }
    a = in.DeQue<half>();
    Adds(b, a, half(1), kHalves);
    in.FreeTensor(a);
    save(global<half>(y), b, kHalves);
}

SEEDED_DEFECT(kFlagSetTwice);

} // namespace flag_set_twice_queue
