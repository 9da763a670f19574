// Tiling has a key that the kernel has no branch for.
#include "harness.h"

namespace output_not_written_tiling_key {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    Room room(2 * kBytes);
    if (TILING_KEY_IS(1)) {
        pass(x, y, room);
    } else if (TILING_KEY_IS(2)) {
        pass(x, y, room);
    }
}

SEEDED_DEFECT(kOutputNotWritten,
              [](twin::Launch& launch, bool faulty) { launch.tiling_key = faulty ? 3 : 2; });

} // namespace output_not_written_tiling_key
