// Vectors of binary16 and of floats, moved by a lane, taken apart and put together.
#pragma once

#include "shuffles.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class V>
constexpr std::make_integer_sequence<int, kLanesOf<V>> kNumbers{};

template <int begin, int step, class V, int... lane>
inline V every(V a, V b, std::integer_sequence<int, lane...>) {
    return shuffle<(begin + step * lane)...>(a, b);
}

template <int begin, class V, int... lane>
inline V in_turn(V a, V b, std::integer_sequence<int, lane...>) {
    return shuffle<(begin + lane / 2 + lane % 2 * kLanesOf<V>)...>(a, b);
}

// Of a followed by b: the even lanes, the odd ones.
template <class V>
inline V evens(V a, V b) {
    return every<0, 2>(a, b, kNumbers<V>);
}

template <class V>
inline V odds(V a, V b) {
    return every<1, 2>(a, b, kNumbers<V>);
}

// The first half of a0 b0 a1 b1 .., and the second.
template <class V>
inline V lower_in_turn(V a, V b) {
    return in_turn<0>(a, b, kNumbers<V>);
}

template <class V>
inline V upper_in_turn(V a, V b) {
    return in_turn<kLanesOf<V> / 2>(a, b, kNumbers<V>);
}

// The lanes one further on: the last of `before`, then all but the last of `value`.
template <class V>
inline V one_behind(V before, V value) {
    return every<kLanesOf<V> - 1, 1>(before, value, kNumbers<V>);
}

// All but the first of `value`, then the first of `next`.
template <class V>
inline V one_ahead(V value, V next) {
    return every<1, 1>(value, next, kNumbers<V>);
}

// A mask for the first half of the lanes, as of floats, and for the second.
#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline Mask lower_half(HalfMask mask) {
    return static_cast<Mask>(mask);
}

inline Mask upper_half(HalfMask mask) {
    return static_cast<Mask>(mask >> kLanes);
}
#else
inline Mask lower_half(HalfMask mask) {
    return reinterpret_cast<Mask>(lower_twice(mask));
}

inline Mask upper_half(HalfMask mask) {
    return reinterpret_cast<Mask>(upper_twice(mask));
}
#endif

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
