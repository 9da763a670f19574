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

namespace detail {

// How lanes and columns are cut.
inline void cut(Tiling& plan, int64_t format, int64_t depth, int64_t strips) {
    plan.depth = depth;
    plan.lanes = up_to(depth, kGroupPlanes);
    plan.groups =
        format == kNhwc ? plan.outer * ceil_div(plan.channels, depth) : ceil_div(plan.outer, kGroupPlanes);
    plan.strip_cells = ceil_div(plan.w.cells, strips);
    plan.strips = ceil_div(plan.w.cells, plan.strip_cells);
    const int64_t beside = plan.w.reach - 1;
    // The columns that windows of one row reach into behind its end are padding, or that in front of the next
    // row.
    const int64_t shared = plan.w.pad / plan.w.stride;
    plan.pitch = plan.strips == 1 ? std::max(plan.w.cells, plan.w.windows + beside - shared)
                                  : plan.strip_cells + 2 * beside;
}

// The best stage over all ways to cut.
inline Candidate best_cut(Tiling& plan, int64_t format, int64_t element, int64_t room) {
    Candidate best;
    Tiling kept = plan;
    const bool overlaps = plan.h.reach > 1 || plan.w.reach > 1;
    for (int64_t parts = 1; parts == 1 || (format == kNhwc && parts < 2 * plan.channels); parts *= 2) {
        const int64_t depth = format == kNhwc
                                  ? std::min(plan.channels, up_to(ceil_div(plan.channels, parts), 16))
                                  : kGroupPlanes;
        for (int64_t strips = 1; strips < 2 * plan.w.cells;
             strips = strips < 4 ? strips + 1 : strips + strips / 2) {
            cut(plan, format, depth, std::min(strips, plan.w.cells));
            for (int64_t strategy = kTaps; strategy <= (overlaps ? kSeparable : kTaps); ++strategy) {
                const Candidate found = best_stage(plan, format, element, room, strategy);
                if (found.cycles < best.cycles) {
                    best = found;
                    kept = plan;
                }
            }
        }
    }
    plan = kept;
    return best;
}

// Rows of cells a unit: few where cores would wait for each other, all where halos would cost more.
inline void share(Tiling& plan, int64_t cores) {
    const int64_t columns = plan.groups * plan.strips;
    const int64_t cells = std::max<int64_t>(plan.h.cells, 1);
    double best = kNever;
    for (int64_t units = 1; units <= std::min<int64_t>(cells, 256); ++units) {
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

inline Tiling empty_tiling(const Pooling& pooling, int64_t format) {
    Tiling plan{};
    plan.h = reduced_axis(pooling.h);
    plan.w = reduced_axis(pooling.w);
    plan.outer = format == kNhwc ? pooling.batch : pooling.planes();
    plan.channels = format == kNhwc ? pooling.channels : 1;
    return plan;
}

} // namespace detail

// `ub_bytes` as the platform gives it. Tensors of no element need no kernel; the plan for them has one idle
// block.
inline Plan make_plan(const Pooling& pooling, int64_t element_bytes, int64_t vector_cores, int64_t ub_bytes) {
    const int64_t format = pooling.format == DataFormat::kNhwc ? kNhwc : kNchw;
    const int64_t room = (ub_bytes - kSelectScratch) / kBlock * kBlock;
    Tiling plan = detail::empty_tiling(pooling, format);
    const bool empty = plan.outer * plan.channels * plan.h.input * plan.w.input == 0;
    if (empty || plan.h.windows == 0 || plan.w.windows == 0) {
        plan.main.strategy = kZeros;
        return {plan, tiling_key(kZeros, format), static_cast<uint32_t>(empty ? 1 : vector_cores)};
    }
    Candidate main = detail::best_cut(plan, format, element_bytes, room);
    if (main.cycles == kNever) {
        main.stage.strategy = kSearch;
        detail::cut(plan, format, format == kNhwc ? plan.channels : kGroupPlanes, 1);
    }
    plan.main = main.stage;
    plan.fallback = main.stage;
    if (main.stage.strategy == kSeparable) {
        const Candidate taps = best_stage(plan, format, element_bytes, room, kTaps);
        plan.fallback = taps.cycles == kNever ? Stage{kSearch, 0, 0, 0, 0, {}} : taps.stage;
    }
    detail::share(plan, vector_cores);
    const int64_t units = plan.groups * plan.strips * plan.units;
    return {plan, tiling_key(plan.main.strategy, format),
            static_cast<uint32_t>(std::min(units, vector_cores))};
}

} // namespace maxpoolgrad::arch22
