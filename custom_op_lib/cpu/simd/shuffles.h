// S interleaved sequences, taken apart and put together again, in registers.
#pragma once

#include "halves.h"

#include <utility>

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class V>
constexpr int kLanesOf = kLanes;

template <>
constexpr int kLanesOf<Halves> = kHalfLanes;

template <class V>
struct Index {
    using Type = Ints;
};

template <>
struct Index<Halves> {
    using Type = Halves;
};

// Lane i becomes lane index[i] of a followed by b.
template <int... index, class V>
inline V shuffle(V a, V b) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define MAXPOOLGRAD_SHUFFLEVECTOR
#endif
#endif
#if defined(MAXPOOLGRAD_SHUFFLEVECTOR)
    return __builtin_shufflevector(a, b, index...);
#else
    return __builtin_shuffle(a, b, typename Index<V>::Type{index...});
#endif
}

template <class V, int... lane>
inline V twice_lanes(V value, std::integer_sequence<int, lane...>) {
    return shuffle<lane / 2 ...>(value, value);
}

template <class V, int... lane>
inline V twice_upper_lanes(V value, std::integer_sequence<int, lane...>) {
    return shuffle<(kLanesOf<V> + lane) / 2 ...>(value, value);
}

// Each lane of the first half twice, and of the second half.
template <class V>
inline V lower_twice(V value) {
    return twice_lanes(value, std::make_integer_sequence<int, kLanesOf<V>>{});
}

template <class V>
inline V upper_twice(V value) {
    return twice_upper_lanes(value, std::make_integer_sequence<int, kLanesOf<V>>{});
}

template <int D, int... lane>
inline Floats shift_lanes(Floats a, Floats b, std::integer_sequence<int, lane...>) {
    return shuffle<(lane + D)...>(a, b);
}

// Lane i becomes lane i + D of `value`, whose neighbours on both sides are `before` and `after`.
template <int D>
inline Floats shifted(Floats before, Floats value, Floats after) {
    constexpr std::make_integer_sequence<int, kLanes> lanes{};
    if constexpr (D < 0) {
        return shift_lanes<kLanes + D>(before, value, lanes);
    } else if constexpr (D > 0) {
        return shift_lanes<D>(value, after, lanes);
    } else {
        return value;
    }
}

// Which lane of (so far, part number t) holds lane m of sequence p: element m S + p of the parts side by
// side.
constexpr int apart_index(int s, int p, int t, int m) {
    const int source = m * s + p;
    if (source / kLanes == t) {
        return kLanes + source % kLanes;
    }
    return t == 1 && source < kLanes ? source : m;
}

// Which lane of (so far, sequence t) holds lane l of part q of the interleaved elements.
constexpr int together_index(int s, int q, int t, int l) {
    const int source = q * kLanes + l;
    if (source % s == t) {
        return kLanes + source / s;
    }
    return t == 1 && source % s == 0 ? source / s : l;
}

template <int S, int P, int T, int... lane>
inline Floats apart_step(Floats so_far, Floats part, std::integer_sequence<int, lane...>) {
    return shuffle<apart_index(S, P, T, lane)...>(so_far, part);
}

template <int S, int Q, int T, int... lane>
inline Floats together_step(Floats so_far, Floats part, std::integer_sequence<int, lane...>) {
    return shuffle<together_index(S, Q, T, lane)...>(so_far, part);
}

template <int S, int N, bool apart, int T>
inline Floats steps(Floats so_far, const Floats* parts) {
    constexpr std::make_integer_sequence<int, kLanes> lanes{};
    if constexpr (T == S) {
        return so_far;
    } else if constexpr (apart) {
        return steps<S, N, apart, T + 1>(apart_step<S, N, T>(so_far, parts[T], lanes), parts);
    } else {
        return steps<S, N, apart, T + 1>(together_step<S, N, T>(so_far, parts[T], lanes), parts);
    }
}

template <int S, bool apart, int... N>
inline void all_steps(const Floats* from, Floats* to, std::integer_sequence<int, N...>) {
    ((to[N] = steps<S, N, apart, 1>(from[0], from)), ...);
}

// to[p][m] = from[m S + p], where `from` counts through its S vectors.
template <int S>
inline void take_apart(const Floats* from, Floats* to) {
    all_steps<S, true>(from, to, std::make_integer_sequence<int, S>{});
}

// to[m S + p] = from[p][m]
template <int S>
inline void put_together(const Floats* from, Floats* to) {
    all_steps<S, false>(from, to, std::make_integer_sequence<int, S>{});
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
