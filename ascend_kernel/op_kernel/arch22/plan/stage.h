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

// The vector unit does a repeat a cycle, and takes some cycles to begin an instruction. Global memory gives a
// core some 20 B a cycle where all cores ask for it, and takes some time to begin a burst; it works in pieces
// of 512 B. With one tile in flight a core waits for its transfers, but others use the time. What the
// operator promises weighs more: bursts of 2 KiB on maps of 28 x 28 and more, hardly anything read twice.
inline double cycles_of(const Draft& draft, const Stage& stage) {
    const Tiling& plan = draft.plan;
    constexpr double kBytesPerCycle = 20.0, kBurstStart = 40.0, kTileStart = 1000.0, kStart = 10.0;
    constexpr double kPiece = 512.0, kLongBurst = 2048.0, kShortBursts = 2.0, kTwice = 1.15, kReadTwice = 2.0;
    const int64_t tiles = tiles_of(draft, stage), last = plan.h.cells - (tiles - 1) * stage.tile_rows;
    const int64_t bands =
        (tiles - 1) * ceil_div(stage.tile_rows, stage.band_rows) + ceil_div(last, stage.band_rows);
    const BandCost band{draft, stage};
    const double vector =
        static_cast<double>(bands * plan.strips) *
        (static_cast<double>(band.repeats()) + kStart * static_cast<double>(band.instructions()));
    const Traffic traffic = traffic_of(draft, stage);
    const double bytes = static_cast<double>(traffic.bytes),
                 burst = bytes / static_cast<double>(traffic.bursts);
    const double pieces = std::max(burst, kPiece) / burst; // of memory, read for the sake of a part
    const double memory = bytes / kBytesPerCycle * (0.5 + 0.5 * pieces + kBurstStart / burst);
    const double both = stage.slots > 1 ? std::max(vector, memory) + 0.2 * std::min(vector, memory)
                                        : std::max(vector + 0.3 * memory, memory + 0.3 * vector);
    const bool large = plan.h.input >= 28 && plan.w.input >= 28;
    const int64_t pixels = 2 * plan.h.input * plan.w.input + 2 * plan.h.windows * plan.w.windows;
    const double least = static_cast<double>(pixels * plan.depth * draft.element);
    const double weight =
        (large && burst < kLongBurst ? kShortBursts : 1.0) * (bytes > kTwice * least ? kReadTwice : 1.0);
    const double starts = kTileStart * static_cast<double>(tiles * plan.strips);
    // Whole planes are dealt out as they are; others can be cut by rows so that cores get the same.
    const bool rounds = stage.strategy == kRunning && plan.groups > draft.cores;
    const int64_t groups = rounds ? up_to(plan.groups, draft.cores) : plan.groups;
    return (both + starts) * static_cast<double>(groups) * weight;
}

constexpr int64_t kAllRows = int64_t{1} << 40;

// Whether rows of cells can do without padding: as many windows as positions, and no window over all of them.
inline bool rows_join(const Tiling& plan, int64_t strategy) {
    const Axis& w = plan.w;
    return strategy == kSeparable && plan.strips == 1 && w.stride == 1 && w.windows == w.input && w.pad > 0 &&
           w.kernel <= w.input;
}

// Whether rows of y and grad, as they come, are rows of windows: so NHWC needs no copies of them. Comparisons
// may read a repeat behind y, which must be of the same slot.
inline bool windows_in_place(const Draft& draft, int64_t strategy, int64_t pitch) {
    const Tiling& plan = draft.plan;
    return strategy == kSeparable && draft.format == kNhwc && plan.strips == 1 && plan.w.windows == pitch &&
           pitch * plan.lanes * draft.element >= kRepeat;
}

inline Stage make_stage(const Draft& draft, int64_t strategy, int64_t slots, int64_t tile_rows,
                        int64_t band_rows) {
    const bool joined = rows_join(draft.plan, strategy);
    const int64_t pitch = joined ? draft.plan.w.input : draft.pitch, lead = joined ? draft.plan.w.pad : 0;
    const int64_t more_rows = strategy == kRunning ? 0 : rows_to_join(draft.plan, tile_rows);
    return {strategy,  slots,    tile_rows, more_rows,
            band_rows, pitch,    lead,      windows_in_place(draft, strategy, pitch) ? 1 : 0,
            0,         kAllRows, 0,         {}};
}

// Places the stage's arrays; whether they fit `room` bytes of the unified buffer.
inline bool fits(const Draft& draft, int64_t room, Stage& stage) {
    const Axis& h = draft.plan.h;
    stage.more_rows = std::min(stage.more_rows, rows_to_join(draft.plan, stage.tile_rows));
    stage.carries = stage.band_rows < h.cells && h.reach > 1 && stage.segment_rows == kAllRows ? 1 : 0;
    place(draft, stage);
    return stage.at.all <= room;
}

inline void consider(const Draft& draft, int64_t room, Stage stage, Candidate& best) {
    if (fits(draft, room, stage)) {
        const double cycles = cycles_of(draft, stage);
        best = cycles < best.cycles ? Candidate{stage, cycles} : best;
    }
}

// The most rows that bands of such a tile can have, all of them about equal; 0 where not even one fits.
inline int64_t most_band_rows(const Draft& draft, int64_t room, Stage stage) {
    int64_t low = 0, high = stage.tile_rows;
    while (low < high) {
        stage.band_rows = (low + high + 1) / 2;
        if (fits(draft, room, stage)) {
            low = stage.band_rows;
        } else {
            high = stage.band_rows - 1;
        }
    }
    return low == 0 ? 0 : ceil_div(stage.tile_rows, ceil_div(stage.tile_rows, low));
}

// 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15 and so on: how many parts to try.
inline int64_t next_count(int64_t count) {
    return count + std::max<int64_t>(1, count / 4);
}

// The largest tile that leaves room for a band of one row; 0 where there is none.
inline int64_t most_tile_rows(const Draft& draft, int64_t room, int64_t strategy, int64_t slots) {
    int64_t low = 0, high = draft.plan.h.cells;
    while (low < high) {
        const int64_t rows = (low + high + 1) / 2;
        Stage stage = make_stage(draft, strategy, slots, rows, 1);
        if (fits(draft, room, stage)) {
            low = rows;
        } else {
            high = rows - 1;
        }
    }
    return low;
}

// Bands of whole tiles only, where groups have more planes than TransDataTo5HD takes at a time: pieces that
// two bands share are kept for one such lot. Tiles that get smaller soon get worse.
inline Candidate best_stage(const Draft& draft, int64_t room, int64_t strategy) {
    constexpr int kPatience = 6;
    const int64_t cells = draft.plan.h.cells;
    const bool whole = strategy == kRunning || (draft.format == kNchw && draft.plan.depth > kGroupPlanes);
    Candidate best;
    for (int64_t slots = 1; slots <= 2; ++slots) {
        consider(draft, room, make_stage(draft, strategy, slots, cells, cells), best);
        const int64_t most = whole ? 0 : most_tile_rows(draft, room, strategy, slots);
        if (most == 0) {
            continue;
        }
        int idle = 0;
        for (int64_t tiles = ceil_div(cells, most); tiles < 2 * cells && idle < kPatience;
             tiles = next_count(tiles)) {
            const double before = best.cycles;
            const int64_t parts = std::min(tiles, cells);
            Stage stage = make_stage(draft, strategy, slots, ceil_div(cells, parts), 0);
            stage.tile_rows = std::max<int64_t>(1, ceil_div(cells - stage.more_rows, parts));
            stage.band_rows = most_band_rows(draft, room, stage);
            if (stage.band_rows > 0) {
                consider(draft, room, stage, best);
                stage.tile_rows -= stage.tile_rows % stage.band_rows;
                consider(draft, room, stage, best);
            }
            idle = best.cycles < before ? 0 : idle + 1;
        }
    }
    return best;
}

// Tap by tap with less room: no mask a tap, and if need be segments of a few rows, which find the windows
// above them again. Slower, but without a limit on rows; the strategy is kSearch where even one row does not
// fit.
inline Stage small_taps(const Draft& draft, int64_t room) {
    constexpr int64_t kMostNumbers = 2048; // that float16 tells apart
    const Axis &h = draft.plan.h, &w = draft.plan.w;
    const Stage none = make_stage(draft, kSearch, 0, h.cells, 0);
    if (h.kernel * w.kernel > kMostNumbers) {
        return none;
    }
    int64_t low = 0, high = h.cells;
    Stage best = none;
    while (low < high) {
        const int64_t rows = (low + high + 1) / 2;
        const int64_t band = std::min(h.cells, rows + h.reach - 1);
        Stage stage = make_stage(draft, kTaps, 1, band, band);
        stage.segment_rows = rows < h.cells ? rows : kAllRows;
        stage.more_rows = 0;
        stage.indexed = 1;
        if (fits(draft, room, stage)) {
            best = stage;
            low = rows;
        } else {
            high = rows - 1;
        }
    }
    return best;
}

} // namespace maxpoolgrad::arch22
