// The greatest keys of a row of windows: down the rows first, then along them.
//
// Rows are taken in steps of the stride, so that windows share what they have in common: a window is some
// whole steps and the beginning of the next one. A place counts rows from the window's bottom and columns
// from its right, so that of equal values the first has the greatest key.
#pragma once

#include "../simd/shuffles.h"
#include "../simd/unroll.h"
#include "keys.h"
#include "pack.h"
#include "scatter_layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// One step of rows of input, and the windows that end in it.
template <class T>
struct KeyStep {
    const T* rows; // row 0 of the step, which may lie outside of the input
    int64_t row_step;
    int64_t begin, end;   // rows of the step inside the input
    int64_t stride, rest; // rows of a step; those that the windows take of this one
    int32_t unit;         // a row's in a place
    int32_t bits;         // of a value that a key keeps
    int64_t count;        // earlier steps of the windows
    const int32_t* earlier[kMostSide];
    int32_t below[kMostSide]; // what their places grow by
    int32_t* whole;           // receives the step's keys
    int32_t* windows;         // receives the windows' keys
};

// Calls body(N, i, lanes) for N vectors at element i; the last one may have fewer lanes.
template <class Body>
[[gnu::always_inline]] inline void along(int64_t count, const Body& body) {
    int64_t i = 0;
    for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
        body(Constant<4>{}, i, Constant<kLanes>{});
    }
    for (; i + kLanes <= count; i += kLanes) {
        body(Constant<1>{}, i, Constant<kLanes>{});
    }
    if (i < count) {
        body(Constant<1>{}, i, count - i);
    }
}

// Lanes behind the last are NaN, and not stored.
template <class T>
[[gnu::always_inline]] inline Floats load_lanes(const T* from, Constant<kLanes>) {
    return load(from);
}

template <class T>
inline Floats load_lanes(const T* from, int64_t lanes) {
    return load_part(from, lanes);
}

[[gnu::always_inline]] inline void store_keys(int32_t* to, Ints keys, Constant<kLanes>) {
    store(to, keys);
}

inline void store_keys(int32_t* to, Ints keys, int64_t lanes) {
    store_part(reinterpret_cast<float*>(to), reinterpret_cast<Floats>(keys), lanes);
}

// Rows [begin, end) of the step, below those that `keys` are of.
template <class T, int N, class Lanes>
[[gnu::always_inline]] inline void take_rows(const KeyStep<T>& step, int64_t begin, int64_t end, int64_t i,
                                             Lanes lanes, Ints* keys) {
    const Ints unit = splat(step.unit), bits = splat(step.bits);
    for (int64_t row = begin; row < end; ++row) {
        const T* from = step.rows + row * step.row_step + i;
        unroll<N>([&](auto n) {
            __builtin_prefetch(from + n * kLanes + step.stride * step.row_step, 0, 2);
            keys[n] = greatest(keys[n] + unit, key_without_place(load_lanes(from + n * kLanes, lanes), bits));
        });
    }
}

// Calls meanwhile(i) when four vectors from element i on are done.
template <class T, class Meanwhile>
__attribute__((noinline)) void down(const KeyStep<T>& step, int64_t from, int64_t count,
                                    const Meanwhile& meanwhile) {
    const int64_t split = least(step.rest, step.end);
    const bool outside = step.begin >= step.end;
    const Ints short_rest =
        splat(outside ? 0 : static_cast<int32_t>(most(0, step.rest - step.end)) * step.unit);
    const Ints short_whole = splat(outside ? 0 : static_cast<int32_t>(step.stride - step.end) * step.unit);
    along(count, [&](auto vectors, int64_t i, auto lanes) {
        constexpr int N = vectors;
        Ints keys[N], windows[N];
        unroll<N>([&](auto n) { keys[n] = splat(kBelowAllKeys); });
        take_rows<T, N>(step, step.begin, split, i, lanes, keys);
        unroll<N>([&](auto n) { windows[n] = keys[n] + short_rest; });
        take_rows<T, N>(step, most(step.begin, split), step.end, i, lanes, keys);
        unroll<N>([&](auto n) { keys[n] += short_whole; });
        if (step.rest == 0) {
            unroll<N>([&](auto n) { windows[n] = keys[n]; });
        }
        for (int64_t earlier = 0; earlier < step.count; ++earlier) {
            const int32_t* whole = step.earlier[earlier] + from + i;
            const Ints below = splat(step.below[earlier]);
            unroll<N>([&](auto n) { windows[n] = greatest(windows[n], load(whole + n * kLanes) + below); });
        }
        unroll<N>([&](auto n) {
            store_keys(step.whole + from + i + n * kLanes, keys[n], lanes);
            store_keys(step.windows + from + i + n * kLanes, windows[n], lanes);
        });
        if (N == 4) {
            meanwhile(i);
        }
    });
}

// A vector of keys a phase of the stride: `group` windows or channels, side by side.
template <int S>
[[gnu::always_inline]] inline void load_phases(const int32_t* from, Ints* phases) {
    Floats parts[S], apart[S];
    unroll<S>([&](auto part) { parts[part] = reinterpret_cast<Floats>(load(from + part * kLanes)); });
    take_apart<S>(parts, apart);
    unroll<S>([&](auto phase) { phases[phase] = reinterpret_cast<Ints>(apart[phase]); });
}

// One step of columns for each window: the whole stride, and its first `rest` columns.
struct ColumnStep {
    int64_t count, stride, rest; // windows (steps), columns
    int32_t *whole, *begin;
};

// Phases that are loaded one by one: load(phase).
template <class Load>
[[gnu::always_inline]] inline void across(const ColumnStep& step, int64_t i, const Load& load_phase) {
    Ints keys = load_phase(0);
    const Ints one = splat(1);
    for (int64_t phase = 1; phase < step.stride; ++phase) {
        if (phase == step.rest) {
            store(step.begin + i, keys);
        }
        keys = greatest(keys + one, load_phase(phase));
    }
    store(step.whole + i, keys);
}

template <int S>
inline void across_pixels(const int32_t* from, const ColumnStep& step) {
    for (int64_t i = 0; i < step.count; i += kLanes) {
        Ints phases[S];
        load_phases<S>(from + S * i, phases);
        across(step, i, [&](int64_t phase) { return phases[phase]; });
    }
}

inline void across_any_pixels(const int32_t* from, const ColumnStep& step) {
    for (int64_t i = 0; i < step.count; i += kLanes) {
        across(step, i, [&](int64_t phase) {
            int32_t keys[kLanes];
            for (int64_t lane = 0; lane < kLanes; ++lane) {
                keys[lane] = from[(i + lane) * step.stride + phase];
            }
            return load(keys);
        });
    }
}

inline void across_groups(const int32_t* from, const ColumnStep& step, int64_t group) {
    for (int64_t window = 0; window < step.count; ++window) {
        for (int64_t i = 0; i < group; i += kLanes) {
            const int32_t* phases = from + window * step.stride * group + i;
            across(step, window * group + i, [&](int64_t phase) { return load(phases + phase * group); });
        }
    }
}

// From keys of single columns to those of windows, in the same way as down the rows.
inline void along_columns(const ScatterRows& rows, const ScatterLayout& at, const FastAxis& w) {
    const int64_t whole = w.kernel / w.stride, rest = w.kernel % w.stride;
    const ColumnStep step{w.output + whole - (rest == 0), w.stride, rest, rows.whole, rows.begin};
    const int32_t* from = rows.columns + at.first;
    if (at.group > 1) {
        across_groups(from, step, at.group);
    } else if (w.stride == 2) {
        across_pixels<2>(from, step);
    } else if (w.stride == 3) {
        across_pixels<3>(from, step);
    } else if (w.stride == 4) {
        across_pixels<4>(from, step);
    } else {
        across_any_pixels(from, step);
    }
    const int32_t* last = rest == 0 ? rows.whole + (whole - 1) * at.group : rows.begin + whole * at.group;
    for (int64_t i = 0; i < at.count; i += kLanes) {
        Ints keys = load(last + i);
        for (int64_t earlier = 0; earlier < whole - (rest == 0); ++earlier) {
            const Ints right = splat(static_cast<int32_t>(w.kernel - (earlier + 1) * w.stride));
            keys = greatest(keys, load(rows.whole + i + earlier * at.group) + right);
        }
        store(rows.windows + i, keys);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
