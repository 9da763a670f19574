// Along a finished row: each position takes the sums of the windows whose first tap it is, left to right.
#pragma once

#include "../simd/shuffles.h"
#include "../simd/unroll.h"
#include "layout.h"
#include "streaming.h"

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

// The phase's window that comes last of N in a row, and then N - 1 before it: taps that no window has are
// nobody's first.
template <int S, int N>
[[gnu::always_inline]] inline Floats gather_steps(const Phase& phase, const Layout& at, int64_t i) {
    Floats total{};
    unroll<N>([&](auto step) {
        const Mask here =
            equal(load(phase.taps + i + step * at.group), splat(int32_t{phase.last_tap - step * S}));
        total += only(here, load(phase.sums + i + step * at.group));
    });
    return total;
}

inline Phase whole_phase(const float* sums, const int32_t* taps, const Layout& at, int64_t phase) {
    const int64_t padded = phase + at.pad, offset = (padded / at.stride - at.lead) * at.group;
    return {sums + offset, taps + offset, static_cast<int>(padded % at.stride + at.lead * at.stride)};
}

// Pixels [begin, end) of one channel, S windows apart; any channels where S is 1. N windows see a pixel at
// most.
template <class T, int S, int N, bool streamed>
inline void gather_range(const float* sums, const int32_t* taps, const Layout& at, int64_t begin, int64_t end,
                         T* to) {
    Phase phases[S];
    for (int phase = 0; phase < S; ++phase) {
        phases[phase] = whole_phase(sums, taps, at, begin + phase);
    }
    for (int64_t i = 0, done = begin; done < end; i += kLanes, done += S * kLanes) {
        Floats apart[S], parts[S];
        unroll<S>([&](auto phase) { apart[phase] = gather_steps<S, N>(phases[phase], at, i); });
        put_together<S>(apart, parts);
        unroll<S>([&](auto part) {
            const int64_t pixel = done + part * kLanes;
            if (end - pixel >= kLanes) {
                store_or_stream<streamed>(to + pixel, parts[part]);
            } else if (end > pixel) {
                store_part(to + pixel, parts[part], end - pixel);
            }
        });
    }
}

template <class T, int S, int N>
inline void gather_unrolled(const float* sums, const int32_t* taps, const Layout& at, T* to, bool stream) {
    const int64_t first = stream ? before_line(to) : at.pixels;
    if (first < at.pixels) {
        gather_range<T, S, N, false>(sums, taps, at, 0, first, to);
        gather_range<T, S, N, true>(sums, taps, at, first, at.pixels, to);
    } else {
        gather_range<T, S, N, false>(sums, taps, at, 0, at.pixels, to);
    }
}

template <class T, int S>
inline void gather_rolled(const float* sums, const int32_t* taps, const Layout& at, T* to) {
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

template <class T, int S>
inline void gather_pixels(const float* sums, const int32_t* taps, const Layout& at, T* to, bool stream) {
    switch (at.group == 1 ? at.lead + 1 : 0) {
    case 2: return gather_unrolled<T, S, 2>(sums, taps, at, to, stream);
    case 3: return gather_unrolled<T, S, 3>(sums, taps, at, to, stream);
    case 4: return gather_unrolled<T, S, 4>(sums, taps, at, to, stream);
    case 5: return gather_unrolled<T, S, 5>(sums, taps, at, to, stream);
    default: return gather_rolled<T, S>(sums, taps, at, to);
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
inline void gather_row(const float* sums, const int32_t* taps, const Layout& at, T* to, int64_t pixel_step,
                       bool stream) {
    const bool side_by_side = pixel_step == at.group;
    if (at.stride == 1 && side_by_side) {
        gather_pixels<T, 1>(sums, taps, at, to, stream);
    } else if (at.group > 1 || !side_by_side) {
        gather_groups(sums, taps, at, to, pixel_step);
    } else if (at.stride == 2) {
        gather_pixels<T, 2>(sums, taps, at, to, stream);
    } else if (at.stride == 3) {
        gather_pixels<T, 3>(sums, taps, at, to, stream);
    } else {
        gather_apart(sums, taps, at, to);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
