// The plan for A2 and A3 (arch 2201), made on the host: strategy, strips, tiles, bands, and what each core
// does.
#pragma once

#include "plan/axis.h"
#include "plan/stage.h"

#include <maxpoolgrad/geometry.h>

#include <algorithm>
#include <cstdint>

namespace maxpoolgrad::arch22 {

struct Plan {
    Tiling tiling;
    uint64_t tiling_key;
    uint32_t block_dim;
};

constexpr int64_t kSelectScratch = 8 * 1024; // at the end of the unified buffer, which Select writes

inline const char* name_of(int64_t strategy) {
    switch (strategy) {
    case kZeros: return "zeros";
    case kSearch: return "search";
    case kTaps: return "taps";
    case kSeparable: return "separable";
    case kRunning: return "running";
    default: return "";
    }
}

namespace detail {

// How lanes and columns are cut.
inline void cut(Draft& draft, int64_t depth, int64_t strips) {
    Tiling& plan = draft.plan;
    const Axis& w = plan.w;
    const bool channels_last = draft.format == kNhwc;
    plan.depth = depth;
    plan.lanes = up_to(depth, kGroupPlanes);
    plan.groups =
        (channels_last ? plan.outer : 1) * ceil_div(channels_last ? plan.channels : plan.outer, depth);
    plan.strip_cells = ceil_div(w.cells, strips);
    plan.strips = ceil_div(w.cells, plan.strip_cells);
    draft.most_columns = draft.most_window_columns = draft.all_columns = draft.all_window_columns = 0;
    draft.pitch = 0;
    const int64_t beside = w.reach - 1;
    const int64_t span = std::max(w.kernel, w.stride);
    // Strips that end up to here, and begin behind the first positions, are all the same.
    const int64_t alike = std::min({w.cells, w.windows, floor_div(w.input + w.pad - span, w.stride) + 1});
    for (int64_t begin = 0; begin < w.cells;) {
        const int64_t end = std::min(w.cells, begin + plan.strip_cells),
                      origin = std::max<int64_t>(0, begin - beside);
        const int64_t first = std::max<int64_t>(0, origin * w.stride - w.pad);
        const int64_t last = (end - 1) * w.stride + span - w.pad;
        const int64_t columns = plan.strips == 1 ? w.input : std::min(w.input, last) - first;
        const int64_t windows = std::max<int64_t>(0, std::min(w.windows, end) - origin);
        const bool more = first > 0 && begin + plan.strip_cells <= alike;
        const int64_t count = more ? (alike - begin) / plan.strip_cells : 1;
        draft.most_columns = std::max(draft.most_columns, columns);
        draft.most_window_columns = std::max(draft.most_window_columns, windows);
        draft.all_columns += count * columns;
        draft.all_window_columns += count * windows;
        draft.pitch = std::max(draft.pitch, end - origin + beside);
        begin += count * plan.strip_cells;
    }
    if (plan.strips == 1) {
        // What the windows of a row reach into behind its end is padding, or that in front of the next row.
        draft.pitch = std::max(w.cells, w.windows + beside - w.pad / w.stride);
    }
}

inline bool applies(const Tiling& plan, int64_t strategy) {
    const bool overlaps = plan.h.reach > 1 || plan.w.reach > 1;
    const bool steps_of_one =
        (plan.h.stride == 1 || plan.h.windows == 1) && (plan.w.stride == 1 || plan.w.windows == 1);
    return strategy == kTaps || (overlaps && (strategy == kSeparable || steps_of_one));
}

enum class Found { kNothing, kNothingBetter, kBetter };

// Tries a strategy's ways to cut columns. More strips than help are not tried.
inline Found try_strips(Draft& draft, int64_t depth, int64_t room, int64_t strategy, Candidate& best,
                        Draft& kept) {
    constexpr int kPatience = 4;
    Found out = Found::kNothing;
    int idle = 0;
    const int64_t cells = draft.plan.w.cells;
    const bool whole = strategy == kRunning || (draft.format == kNchw && depth > kGroupPlanes);
    const int64_t most = whole ? 1 : 2 * cells - 1;
    for (int64_t parts = 1; parts <= most && idle < kPatience; parts = next_count(parts)) {
        cut(draft, depth, std::min(parts, cells));
        Stage smallest = make_stage(draft, strategy, 1, 1, 1);
        if (!whole && !fits(draft, room, smallest)) {
            continue;
        }
        const Candidate found = best_stage(draft, room, strategy);
        if (found.cycles == kNever) {
            continue;
        }
        const bool better = found.cycles < best.cycles;
        out = better || out == Found::kBetter ? Found::kBetter : Found::kNothingBetter;
        idle = better ? 0 : idle + 1;
        if (better) {
            best = found;
            kept = draft;
        }
    }
    return out;
}

// Whether the smallest strips and bands of the fewest lanes fit.
inline bool possible(Draft draft, int64_t room, int64_t strategy) {
    cut(draft, std::min(kGroupPlanes, draft.format == kNhwc ? draft.plan.channels : kGroupPlanes),
        draft.plan.w.cells);
    Stage stage = make_stage(draft, strategy, 1, 1, 1);
    return strategy == kRunning || fits(draft, room, stage);
}

// The best stage over all strategies, lanes of a group and strips. Of NCHW, planes are transposed 16 at a
// time; of NHWC, a group is all channels or a part of them.
inline Candidate best_cut(Draft& draft, int64_t room) {
    constexpr int64_t kMostGroups = 8;
    Candidate best;
    Draft kept = draft;
    for (int64_t strategy = kTaps; strategy <= kRunning; ++strategy) {
        if (!applies(draft.plan, strategy) || !possible(draft, room, strategy)) {
            continue;
        }
        if (draft.format == kNchw) {
            for (int64_t groups = 1; groups <= kMostGroups; ++groups) {
                try_strips(draft, groups * kGroupPlanes, room, strategy, best, kept);
            }
            continue;
        }
        constexpr int kPatience = 4;
        const int64_t channels = draft.plan.channels;
        int64_t last = 0;
        int idle = 0;
        for (int64_t parts = 1; parts < 2 * channels && idle < kPatience; parts = next_count(parts)) {
            const int64_t depth = std::min(channels, up_to(ceil_div(channels, parts), kGroupPlanes));
            if (depth != last) {
                const Found found = try_strips(draft, depth, room, strategy, best, kept);
                idle = found == Found::kBetter ? 0 : idle + (found == Found::kNothingBetter ? 1 : 0);
                last = depth;
            }
        }
    }
    draft = kept;
    return best;
}

// Tap by tap on the same segments, 16 lanes at a time; or the slow search.
inline Stage fallback(Draft draft, int64_t room) {
    draft.plan.lanes = kGroupPlanes;
    draft.plan.depth = draft.format == kNhwc ? std::min(kGroupPlanes, draft.plan.channels) : kGroupPlanes;
    const Candidate taps = best_stage(draft, room, kTaps);
    return taps.cycles < kNever ? taps.stage : small_taps(draft, room);
}

// Rows of cells a unit: few where cores would wait for each other, all where halos would cost more.
inline void share(Tiling& plan, int64_t cores) {
    const int64_t columns = plan.groups * plan.strips;
    const int64_t cells = std::max<int64_t>(plan.h.cells, 1);
    double best = kNever;
    const int64_t most = plan.main.strategy == kRunning ? 1 : std::min<int64_t>(cells, 256);
    for (int64_t units = 1; units <= most; ++units) {
        const int64_t rows = ceil_div(cells, units);
        const int64_t actual = ceil_div(cells, rows);
        const double busiest = static_cast<double>(ceil_div(columns * actual, cores) * rows) +
                               (actual > 1 ? static_cast<double>(2 * (plan.h.reach - 1)) : 0.0);
        if (busiest < best * 0.995) {
            best = busiest;
            plan.unit_rows = rows;
            plan.units = actual;
        }
    }
}

// Whole planes do not always come out even: then all cores get as many groups, and what is left is dealt out
// 16 planes at a time, where that takes less time than one more group.
inline void deal_out(Draft& draft) {
    Tiling& plan = draft.plan;
    const int64_t over = plan.groups % draft.cores, even = plan.groups - over;
    if (draft.format != kNchw || plan.main.strategy != kRunning || plan.strips > 1 || over == 0 ||
        even == 0) {
        return;
    }
    const int64_t first = even * plan.depth / kGroupPlanes, few = ceil_div(plan.outer, kGroupPlanes) - first;
    Draft small = draft;
    small.plan.lanes = small.plan.depth = kGroupPlanes;
    const int64_t rounds = ceil_div(few, draft.cores);
    if (rounds * BandCost{small, plan.main}.running() < BandCost{draft, plan.main}.running()) {
        plan.groups = even;
        plan.few_first = first;
        plan.few = few;
    }
}

inline Draft empty_draft(const Pooling& pooling, int64_t element_bytes, int64_t cores) {
    const bool channels_last = pooling.format == DataFormat::kNhwc;
    Draft draft{{}, channels_last ? kNhwc : kNchw, element_bytes, cores};
    draft.plan.h = reduced_axis(pooling.h);
    draft.plan.w = reduced_axis(pooling.w);
    draft.plan.outer = channels_last ? pooling.batch : pooling.planes();
    draft.plan.channels = channels_last ? pooling.channels : 1;
    return draft;
}

} // namespace detail

// `ub_bytes` as the platform gives it. Tensors of no element need no kernel; the plan for them has one idle
// block.
inline Plan make_plan(const Pooling& pooling, int64_t element_bytes, int64_t vector_cores, int64_t ub_bytes) {
    const int64_t room = (ub_bytes - kSelectScratch) / kBlock * kBlock;
    Draft draft = detail::empty_draft(pooling, element_bytes, vector_cores);
    Tiling& plan = draft.plan;
    const bool empty = plan.outer * plan.channels * plan.h.input * plan.w.input == 0;
    if (empty || plan.h.windows == 0 || plan.w.windows == 0) {
        plan.main.strategy = kZeros;
        return {plan, tiling_key(kZeros, draft.format), static_cast<uint32_t>(empty ? 1 : vector_cores)};
    }
    const Candidate main = detail::best_cut(draft, room);
    plan.main = main.stage;
    if (main.cycles == kNever) {
        detail::cut(draft, std::min(kGroupPlanes, draft.format == kNhwc ? plan.channels : kGroupPlanes), 1);
        plan.main = small_taps(draft, room);
    }
    const bool checked = plan.main.strategy == kSeparable || plan.main.strategy == kRunning;
    plan.fallback = checked ? detail::fallback(draft, room) : plan.main;
    detail::share(plan, vector_cores);
    detail::deal_out(draft);
    const int64_t units = plan.groups * plan.strips * plan.units;
    return {plan, tiling_key(plan.main.strategy, draft.format),
            static_cast<uint32_t>(std::min(units, vector_cores))};
}

} // namespace maxpoolgrad::arch22
