// The greatest key (keys.h) of each window of a row that fits a vector: by doubling how many positions a
// lane has seen.
#pragma once

#include "../simd/moves_avx512.h"
#include "../simd/unroll.h"
#include "keys.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Windows begin at the lane of their number. What each sees from its position number `tail` on is what its
// lane has seen in the end, `seen` positions; the positions before are seen by lanes in front, by the first
// where a window begins before it.
struct RowPlan {
    int64_t lead; // lanes in front of the row, for as many positions of the padding
    int64_t seen;
    int64_t tail;

    RowPlan(const FastAxis& axis, int64_t in_front)
        : lead(in_front), seen(axis.kernel - axis.pad + in_front), tail(axis.pad - in_front) {}

    int64_t steps() const {
        int64_t count = (tail + seen - 1) / seen;
        for (int64_t lanes = 1; lanes < seen; lanes *= 2) {
            ++count;
        }
        return count;
    }
};

// The fewest steps.
inline RowPlan plan_row(const FastAxis& axis) {
    RowPlan best(axis, 0);
    for (int64_t lead = 1; lead <= least(axis.pad, kLanes - axis.input); ++lead) {
        const RowPlan plan(axis, lead);
        best = plan.steps() < best.steps() ? plan : best;
    }
    return best;
}

constexpr int32_t kPlaceBits = 255;

class RowKeys {
public:
    explicit RowKeys(const FastAxis& axis) : width_(axis.input) {
        const RowPlan plan = plan_row(axis);
        lead_ = plan.lead;
        for (int64_t seen = 1; seen < least(kLanes, plan.seen);) {
            const int64_t lanes = least(seen, plan.seen - seen);
            moves_[move_count_++] = move_by(lanes);
            seen += lanes;
        }
        for (int64_t tap = 0; tap < plan.tail; tap += plan.seen) {
            const Ints from = lane_numbers() - splat(static_cast<int32_t>(plan.tail - tap));
            taps_[tap_count_++] = greatest(from, Ints{});
        }
        if (tap_count_ == 1) {
            moves_[move_count_++] = {taps_[0], first_lanes(kLanes)};
            tap_count_ = 0;
        }
        inside_ = without(first_lanes(lead_ + axis.input), first_lanes(lead_));
        places_ = (splat(kPlaceBits + static_cast<int32_t>(lead_)) - lane_numbers()) | splat(INT32_MIN);
    }

    // How many moves there are, or none where they are not all there is to be done.
    int moves() const { return tap_count_ == 0 ? move_count_ : 0; }

    // Where the first row of a plane is loaded from.
    template <class T>
    const T* first(const T* plane) const {
        return plane - lead_;
    }

    // The keys' places in row number `row`.
    Ints places(int64_t row) const { return places_ - splat(static_cast<int32_t>(row * width_)); }

    // What `moves` of the moves are, for a loop over rows to keep in registers.
    template <int moves>
    struct Moves {
        Mask inside;
        Move move[moves];

        explicit Moves(const RowKeys& keys) : inside(keys.inside_) {
            unroll<moves>([&](auto i) { move[i] = keys.moves_[i]; });
        }

        // Of a row, which begins at `from`.
        template <class T>
        [[gnu::always_inline]] Ints find(const T* from, Ints places) const {
            Ints windows = keys_of(inside, from, places);
            unroll<moves>([&](auto i) { see(windows, move[i]); });
            return windows;
        }
    };

    // The same for any windows.
    template <class T>
    Ints find(const T* from, Ints places) const {
        Ints windows = keys_of(inside_, from, places);
        for (int i = 0; i < move_count_; ++i) {
            see(windows, moves_[i]);
        }
        const Ints seen = windows;
        for (int i = 0; i < tap_count_; ++i) {
            windows = greatest_unsigned(windows, permute(seen, taps_[i]));
        }
        return windows;
    }

private:
    // Counted from 0, which is none.
    template <class T>
    [[gnu::always_inline]] static Ints keys_of(Mask inside, const T* from, Ints places) {
        const Floats values = load_where(inside, from, 0);
        const Ints number = ordered(greatest(values, splat(-__builtin_inff())));
        return only(inside, put_bits_flip_sign(number, splat(kPlaceBits), places));
    }

    [[gnu::always_inline]] static void see(Ints& windows, const Move& move) {
        windows = greatest_unsigned(windows, permute_where(move.inside, windows, move.from));
    }

    int move_count_ = 0, tap_count_ = 0;
    int64_t lead_, width_;
    Mask inside_;
    Ints places_;
    Move moves_[6];
    Ints taps_[2 * kLanes];
};

template <>
struct RowKeys::Moves<0> {
    const RowKeys& keys;

    explicit Moves(const RowKeys& all) : keys(all) {}

    template <class T>
    [[gnu::always_inline]] Ints find(const T* from, Ints places) const {
        return keys.find(from, places);
    }
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
