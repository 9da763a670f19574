// An event id past 7.
#include "harness.h"

namespace event_id_range {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    pass(x, y, room);
    SetFlag<HardEvent::MTE3_V>(Seeded ? 8 : 5);
    WaitFlag<HardEvent::MTE3_V>(Seeded ? 8 : 5);
}

SEEDED_DEFECT(kEventId);

} // namespace event_id_range
