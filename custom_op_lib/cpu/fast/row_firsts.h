// The maximum of each window of a row and its first place, where the row fits a vector: by doubling how many
// positions a lane has seen.
#pragma once

#include "../simd/moves_avx512.h"
#include "../simd/unroll.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// A vector of windows: for each the maximum, NaN left out, and its first place.
struct Firsts {
    Floats best;
    Ints place;
};

inline Firsts nothing_seen() {
    return {splat(-__builtin_inff()), splat(int32_t{0})};
}

[[gnu::always_inline]] inline void see_behind(Firsts& seen, const Firsts& next) {
    const Mask later = greater(next.best, seen.best);
    seen.best = pick(later, next.best, seen.best);
    seen.place = pick(later, next.place, seen.place);
}

[[gnu::always_inline]] inline void see_before(Firsts& seen, const Firsts& before) {
    const Mask later = greater(seen.best, before.best);
    seen.best = pick(later, seen.best, before.best);
    seen.place = pick(later, seen.place, before.place);
}

// Lane i takes lane from[i], in the lanes `inside`.
struct Move {
    Ints from;
    Mask inside;
};

inline Move move_by(int64_t lanes) {
    const Mask inside =
        lanes < 0 ? without(first_lanes(kLanes), first_lanes(-lanes)) : first_lanes(most(0, kLanes - lanes));
    return {lane_numbers() + splat(static_cast<int32_t>(lanes)), inside};
}

[[gnu::always_inline]] inline void see_moved(Firsts& seen, const Firsts& from, const Move& move) {
    const Floats best = permute(from.best, move.from);
    const Mask later = greater_where(move.inside, best, seen.best);
    seen.best = pick(later, best, seen.best);
    seen.place = pick(later, permute(from.place, move.from), seen.place);
}

class RowFirsts {
public:
    explicit RowFirsts(const FastAxis& axis) {
        int64_t seen = 1;
        while (2 * seen <= least(axis.kernel, kLanes + 1 - axis.input)) {
            doublings_[doubling_count_++] = move_by(seen);
            seen *= 2;
        }
        lead_ = seen - 1; // lane 0 is the position so far before the row: it sees the row's first, last
        inside_ = without(first_lanes(lead_ + axis.input), first_lanes(lead_));
        column_ = lane_numbers() - splat(static_cast<int32_t>(lead_));
        for (int64_t tap = 0; tap + seen < axis.kernel; tap += seen) {
            taps_[tap_count_++] = move_by(tap - axis.pad + lead_);
        }
        taps_[tap_count_++] = move_by(axis.kernel - seen - axis.pad + lead_);
    }

    // Of N rows; the first position of each is place number `place`.
    template <int N, class T>
    [[gnu::always_inline]] void find(const T* const* rows, int64_t offset, Firsts* windows) const {
        const Floats lowest = splat(-__builtin_inff());
        const Ints places = column_ + splat(static_cast<int32_t>(offset));
        Firsts seen[N];
        unroll<N>([&](auto n) {
            const Floats row = load_where(inside_, rows[n] + offset - lead_, -__builtin_inff());
            seen[n] = {greatest(row, lowest), places};
        });
        for (int step = 0; step < doubling_count_; ++step) {
            const Move move = doublings_[step];
            unroll<N>([&](auto n) {
                const Firsts from = seen[n];
                see_moved(seen[n], from, move);
            });
        }
        const Move first = taps_[0];
        unroll<N>([&](auto n) {
            windows[n] = {pick(first.inside, permute(seen[n].best, first.from), lowest),
                          permute(seen[n].place, first.from)};
        });
        for (int step = 1; step < tap_count_; ++step) {
            const Move move = taps_[step];
            unroll<N>([&](auto n) { see_moved(windows[n], seen[n], move); });
        }
    }

private:
    int doubling_count_ = 0, tap_count_ = 0;
    int64_t lead_;
    Mask inside_;
    Ints column_;
    Move doublings_[4], taps_[2 * kLanes];
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
