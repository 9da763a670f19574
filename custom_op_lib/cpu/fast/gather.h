// Along a finished row: each position takes the sums of the windows whose first tap it is, left to right.
#pragma once

#include "../simd/shuffles.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// The row's windows seen from one phase of the positions: tap `tap` of the window at `offset`, and then taps
// `stride` less of the windows `group` floats further on.
struct Phase {
    const float* sums;
    const int32_t* taps;
    int last_tap; // below 0 where no window reaches the phase
};

inline Phase phase_of(const float* sums, const int32_t* taps, const Layout& at, int64_t phase) {
    const int64_t padded = phase + at.pad;
    const int64_t rest = padded % at.stride;
    const int64_t steps = rest < at.kernel ? (at.kernel - 1 - rest) / at.stride : 0;
    const int64_t offset = (padded / at.stride - steps) * at.group;
    return {sums + offset, taps + offset, rest < at.kernel ? static_cast<int>(rest + steps * at.stride) : -1};
}

template <int S>
inline Floats gather(const Phase& phase, const Layout& at, int64_t i) {
    const int stride = S > 0 ? S : static_cast<int>(at.stride);
    Floats total{};
    for (int tap = phase.last_tap; tap >= 0; tap -= stride, i += at.group) {
        total += only(equal(load(phase.taps + i), splat(int32_t{tap})), load(phase.sums + i));
    }
    return total;
}

template <class T>
inline void store_first(T* to, Floats value, int64_t count) {
    if (count >= kLanes) {
        store(to, value);
    } else if (count > 0) {
        store_part(to, value, count);
    }
}

// Pixels of one channel, S windows apart; any channels where S is 1.
template <class T, int S>
inline void gather_pixels(const float* sums, const int32_t* taps, const Layout& at, T* to) {
    Phase phases[S];
    for (int phase = 0; phase < S; ++phase) {
        phases[phase] = phase_of(sums, taps, at, phase);
    }
    for (int64_t i = 0, done = 0; done < at.pixels; i += kLanes, done += S * kLanes) {
        Floats apart[S], parts[S];
        for (int phase = 0; phase < S; ++phase) {
            apart[phase] = gather<S>(phases[phase], at, i);
        }
        put_together<S>(apart, parts);
        for (int part = 0; part < S; ++part) {
            store_first(to + done + part * kLanes, parts[part], at.pixels - done - part * kLanes);
        }
    }
}

// One channel, any stride.
template <class T>
inline void gather_apart(const float* sums, const int32_t* taps, const Layout& at, T* to) {
    for (int64_t phase = 0; phase < at.stride && phase < at.pixels; ++phase) {
        const Phase from = phase_of(sums, taps, at, phase);
        T values[kLanes];
        for (int64_t i = 0, pixel = phase; pixel < at.pixels; i += kLanes) {
            store(values, gather<0>(from, at, i));
            for (int lane = 0; lane < kLanes && pixel < at.pixels; ++lane, pixel += at.stride) {
                to[pixel] = values[lane];
            }
        }
    }
}

// Any stride, any number of channels.
template <class T>
inline void gather_groups(const float* sums, const int32_t* taps, const Layout& at, T* to,
                          int64_t pixel_step) {
    const int64_t count = at.pixels / at.group;
    for (int64_t phase = 0; phase < at.stride && phase < count; ++phase) {
        const Phase from = phase_of(sums, taps, at, phase);
        int64_t i = 0;
        for (int64_t pixel = phase; pixel < count; pixel += at.stride, i += at.group) {
            for (int64_t channel = 0; channel < at.group; channel += kLanes) {
                store_first(to + pixel * pixel_step + channel, gather<0>(from, at, i + channel),
                            at.group - channel);
            }
        }
    }
}

template <class T>
inline void gather_row(const float* sums, const int32_t* taps, const Layout& at, T* to, int64_t pixel_step) {
    const bool side_by_side = pixel_step == at.group;
    if (at.stride == 1 && side_by_side) {
        gather_pixels<T, 1>(sums, taps, at, to);
    } else if (at.group > 1 || !side_by_side) {
        gather_groups(sums, taps, at, to, pixel_step);
    } else if (at.stride == 2) {
        gather_pixels<T, 2>(sums, taps, at, to);
    } else if (at.stride == 3) {
        gather_pixels<T, 3>(sums, taps, at, to);
    } else {
        gather_apart(sums, taps, at, to);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
