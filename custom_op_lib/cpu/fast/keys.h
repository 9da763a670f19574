// Keys: integers that order as values do, with a place in their lowest bits.
//
// Places fall in scan order, so that a window's greatest key is that of the first of its greatest values: one
// integer maximum a step instead of a comparison and two selections. Values that differ in the bits that the
// place takes have one key but for the place. So it is right exactly where the value at the place equals
// orig_output: all that equal it have its upper bits, and the key names the first of all that have those.
// Where it does not, the window is to be told in another way. Values of float16 have no bits below the 13th:
// up to so many place bits, their keys never mix two of them up.
#pragma once

#include "../simd/lanes.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Below every key.
constexpr int32_t kBelowAllKeys = INT32_MIN;

// Without a place yet: those `bits` of a value that a key is to keep, in the values' order. -0 counts as +0,
// and NaN is above +Inf or below -Inf; above kBelowAllKeys and any place, too.
inline Ints key_without_place(Floats value, Ints bits) {
    const Ints all = reinterpret_cast<Ints>(value), negative = all >> 31;
    return ((all & bits) ^ negative) - negative;
}

// NaN counts as -Inf, and -0 as +0.
inline Ints key_of(Floats value, int32_t place_bits, Ints place) {
    return put_bits(ordered(greatest(value, splat(-__builtin_inff()))), splat(place_bits), place);
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
