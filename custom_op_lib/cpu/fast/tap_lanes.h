// Neighbouring windows of a row in the lanes of a vector.
#pragma once

#include "../simd/shuffles.h"
#include "../simd/unroll.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Lane p of vector v is window v kLanes + p of a row whose padding is P, and of each of the S phases of the
// row's positions number v kLanes + p.
template <class T, int K, int S, int P>
struct TapLanes {
    static bool fits(const FastJob& job) {
        return job.group == 1 && job.large.pixel_step == 1 && job.w.pad == P;
    }
    static int64_t vectors(const FastJob& job) {
        return (most(job.w.output, (job.w.input + S - 1) / S) + kLanes - 1) / kLanes;
    }

    struct Phases {
        Floats at[S];
    };
    struct Sums {
        Floats of[K];
    };

    static Phases outside() {
        Phases phases;
        unroll<S>([&](auto f) { phases.at[f] = splat(__builtin_nanf("")); });
        return phases;
    }

    [[gnu::always_inline]] static Phases read(const T* from, int64_t v, int64_t width) {
        Floats parts[S];
        Phases phases;
        from += v * S * kLanes;
        const int64_t rest = width - v * S * kLanes;
        unroll<S>([&](auto part) {
            constexpr int64_t at = part * kLanes;
            parts[part] = rest >= at + kLanes
                              ? load(from + at)
                              : (rest > at ? load_part(from + at, rest - at) : splat(__builtin_nanf("")));
        });
        take_apart<S>(parts, phases.at);
        return phases;
    }

    [[gnu::always_inline]] static void taps(const Phases& before, const Phases& here, const Phases& after,
                                            Floats* to) {
        unroll<K>([&](auto tap) {
            constexpr int f = phase(tap);
            to[tap] = shifted<steps(tap)>(before.at[f], here.at[f], after.at[f]);
        });
    }

    // Vector v of a row of orig_output or grad; NaN, which equals nothing, where there is no window.
    [[gnu::always_inline]] static Floats read_small(const T* from, int64_t v, int64_t windows) {
        const int64_t rest = windows - v * kLanes;
        from += v * kLanes;
        return rest >= kLanes ? load(from) : (rest > 0 ? load_part(from, rest) : splat(__builtin_nanf("")));
    }

    // The sums of a vector of positions, from its windows and those on both sides. The windows from left to
    // right: their taps from right to left.
    template <bool streamed>
    [[gnu::always_inline]] static void finish(const Sums& before, const Sums& here, const Sums& after, T* to,
                                              int64_t v, int64_t width) {
        Phases phases{};
        unroll<K>([&](auto index) {
            constexpr int tap = K - 1 - index, f = phase(tap);
            const Floats sum = shifted<-steps(tap)>(before.of[tap], here.of[tap], after.of[tap]);
            phases.at[f] = tap + S >= K ? sum : phases.at[f] + sum;
        });
        Floats parts[S];
        put_together<S>(phases.at, parts);
        to += v * S * kLanes;
        const int64_t rest = width - v * S * kLanes;
        unroll<S>([&](auto part) {
            constexpr int64_t at = part * kLanes;
            if (rest >= at + kLanes) {
                store_or_stream<streamed>(to + at, parts[part]);
            } else if (rest > at) {
                store_part(to + at, parts[part], rest - at);
            }
        });
    }

private:
    // How many lanes further on tap t of a window lies, and its phase.
    static constexpr int steps(int tap) { return (tap - P + K * S) / S - K; }
    static constexpr int phase(int tap) { return (tap - P + K * S) % S; }
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
