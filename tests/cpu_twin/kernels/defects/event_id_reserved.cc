// An event id that the system keeps for itself.
#include "harness.h"

namespace event_id_reserved {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    pass(x, y, room);
    SetFlag<HardEvent::MTE3_V>(Seeded ? EVENT_ID7 : EVENT_ID3);
    WaitFlag<HardEvent::MTE3_V>(Seeded ? EVENT_ID7 : EVENT_ID3);
}

SEEDED_DEFECT(kEventId);

} // namespace event_id_reserved
