// Chooses, for one strategy and one way to cut columns, the rows of tiles and bands and the tiles in flight.
#pragma once

#include "cost.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace maxpoolgrad::arch22 {

constexpr double kNever = std::numeric_limits<double>::infinity();

// A stage and its estimate: cycles of one core, were it to do all groups.
struct Candidate {
    Stage stage{};
    double cycles = kNever;
};

// The vector unit does a repeat a cycle. Global memory gives a core some 20 B a cycle where all cores ask for
// it, and less in bursts below 2 KiB. With one tile in flight a core waits for its transfers, but others use
// the time.
inline double cycles_of(const Tiling& plan, int64_t format, int64_t element, const Stage& stage) {
    constexpr double kBytesPerCycle = 20.0, kLongBurst = 2048.0, kTileStart = 1000.0, kBandStart = 200.0;
    const int64_t bands = ceil_div(plan.h.cells, stage.band_rows);
    const int64_t tiles = ceil_div(plan.h.cells, stage.tile_rows);
    const double vector = static_cast<double>(bands * BandCost{plan, stage, element}.repeats());
    const Traffic traffic = traffic_of(plan, format, element, stage);
    const double burst = static_cast<double>(traffic.bytes) / static_cast<double>(traffic.bursts);
    const bool large = plan.h.input >= 28 && plan.w.input >= 28;
    const double slow = 1.0 + (burst < kLongBurst && large ? kLongBurst / burst : 0.0);
    const double memory = static_cast<double>(traffic.bytes) / kBytesPerCycle * slow;
    const double both = stage.slots > 1 ? std::max(vector, memory) + 0.2 * std::min(vector, memory)
                                        : std::max(vector + 0.3 * memory, memory + 0.3 * vector);
    const double fixed = kTileStart * static_cast<double>(tiles) + kBandStart * static_cast<double>(bands);
    return (both + fixed) * static_cast<double>(plan.groups * plan.strips);
}

inline void consider(const Tiling& plan, int64_t format, int64_t element, int64_t room, Stage stage,
                     Candidate& best) {
    stage.carries = stage.band_rows < plan.h.cells && plan.h.reach > 1 ? 1 : 0;
    place(plan, format, element, stage);
    if (stage.at.all > room) {
        return;
    }
    const double cycles = cycles_of(plan, format, element, stage);
    if (cycles < best.cycles) {
        best = {stage, cycles};
    }
}

// `room`: bytes of the unified buffer.
inline Candidate best_stage(const Tiling& plan, int64_t format, int64_t element, int64_t room,
                            int64_t strategy) {
    constexpr int64_t kMostRows = 255, kFewBands = 24;
    Candidate best;
    const int64_t most = std::min(plan.h.cells, kMostRows);
    for (int64_t slots = 1; slots <= 2; ++slots) {
        for (int64_t band = 1; band <= most; ++band) {
            const int64_t bands = ceil_div(plan.h.cells, band);
            for (int64_t n = 1; n <= bands;
                 n = n < kFewBands ? n + 1 : std::max(n + 1, std::min(bands, n + n / 4))) {
                const int64_t tile = n * band;
                consider(plan, format, element, room, {strategy, slots, tile, band, 0, {}}, best);
            }
        }
    }
    return best;
}

} // namespace maxpoolgrad::arch22
