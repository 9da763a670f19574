// Input rows into packed rows (layout.h).
#pragma once

#include "../simd/shuffles.h"
#include "layout.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kMostShuffled = 4; // a wider stride is taken apart element by element

// `count` elements, as floats; NaN up to the last whole vector.
template <class T>
inline void copy_row(const T* from, float* to, int64_t count) {
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        store(to + i, load(from + i));
    }
    if (i < count) {
        store(to + i, load_part(from + i, count - i));
    }
}

// Where position 0 of the phases of a row without padding lies in the packed row.
inline float* packed_phase(float* packed, const Layout& at, int64_t phase) {
    const int64_t padded = phase + at.pad;
    return packed + padded % at.stride * at.phase + padded / at.stride * at.group;
}

// Pixels of one channel, S windows apart.
template <class T, int S>
inline void pack_pixels(const T* from, float* packed, const Layout& at) {
    float* phases[S];
    for (int phase = 0; phase < S; ++phase) {
        phases[phase] = packed_phase(packed, at, phase);
    }
    Floats parts[S], apart[S];
    int64_t i = 0, to = 0;
    for (; i + S * kLanes <= at.pixels; i += S * kLanes, to += kLanes) {
        for (int part = 0; part < S; ++part) {
            ask_ahead(from + i + part * kLanes);
            parts[part] = load(from + i + part * kLanes);
        }
        take_apart<S>(parts, apart);
        for (int phase = 0; phase < S; ++phase) {
            store(phases[phase] + to, apart[phase]);
        }
    }
    if (i < at.pixels) {
        for (int part = 0; part < S; ++part) {
            const int64_t rest = most(0, least(kLanes, at.pixels - i - part * kLanes));
            parts[part] = load_part(from + (rest > 0 ? i + part * kLanes : i), rest);
        }
        take_apart<S>(parts, apart);
        for (int phase = 0; phase < S; ++phase) {
            store(phases[phase] + to, apart[phase]);
        }
    }
}

// Whether some window reads the phase.
inline bool is_read(const Layout& at, int64_t phase) {
    return (phase + at.pad) % at.stride < at.kernel;
}

// Pixels of one channel, any stride.
template <class T>
inline void pack_apart(const T* from, float* packed, const Layout& at) {
    for (int64_t phase = 0; phase < at.stride && phase < at.pixels; ++phase) {
        if (!is_read(at, phase)) {
            continue;
        }
        float* to = packed_phase(packed, at, phase);
        const int64_t count = (at.pixels - phase + at.stride - 1) / at.stride;
        for (int64_t i = 0; i < count; i += kLanes) {
            T part[kLanes] = {};
            const int64_t rest = least(kLanes, count - i);
            for (int64_t lane = 0; lane < rest; ++lane) {
                part[lane] = from[phase + (i + lane) * at.stride];
            }
            store(to + i, load_part(part, rest));
        }
    }
}

// Any stride, any number of channels. Ascending, so that what a vector writes too much is overwritten.
template <class T>
inline void pack_groups(const T* from, int64_t pixel_step, float* packed, const Layout& at) {
    const int64_t count = at.pixels / at.group;
    for (int64_t phase = 0; phase < at.stride && phase < count; ++phase) {
        if (!is_read(at, phase)) {
            continue;
        }
        float* to = packed_phase(packed, at, phase);
        for (int64_t pixel = phase; pixel < count; pixel += at.stride, to += at.group) {
            copy_row(from + pixel * pixel_step, to, at.group);
        }
    }
}

template <class T>
inline void pack_row(const T* from, int64_t pixel_step, float* packed, const Layout& at) {
    const bool side_by_side = pixel_step == at.group;
    if (at.stride == 1 && side_by_side) {
        copy_row(from, packed_phase(packed, at, 0), at.pixels);
    } else if (!side_by_side || at.group > 1) {
        pack_groups(from, pixel_step, packed, at);
    } else if (at.stride > kMostShuffled) {
        pack_apart(from, packed, at);
    } else if (at.stride == 2) {
        pack_pixels<T, 2>(from, packed, at);
    } else if (at.stride == 3) {
        pack_pixels<T, 3>(from, packed, at);
    } else {
        pack_pixels<T, 4>(from, packed, at);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
