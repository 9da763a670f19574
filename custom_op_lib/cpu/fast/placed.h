// The greatest value seen so far and the first place that has it, lane by lane. A place is an address that
// falls in scan order.
#pragma once

#include "../simd/moves_avx512.h"
#include "keys.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Any values, any addresses. NaN is never the greatest.
struct PlacedPair {
    Floats best;
    Ints first;

    static bool fits(int64_t /*addresses*/) { return true; }
    static PlacedPair nothing() { return {splat(-__builtin_inff()), Ints{}}; }
    static PlacedPair of(Floats value, Ints address) { return {value, address}; }

    // `best` by an instruction of its own, which does not wait for the comparison.
    PlacedPair before(const PlacedPair& next) const {
        return {greatest(next.best, best), pick(greater(next.best, best), next.first, first)};
    }

    PlacedPair after(const PlacedPair& before) const {
        return {greatest(before.best, best), pick(not_below(before.best, best), before.first, first)};
    }

    Floats value() const { return best; }
    Ints address() const { return first; }
};

// Values of float16, whose keys are exact. NaN counts as -Inf.
struct PlacedKey {
    Ints key;

    static constexpr int32_t kAddressBits = (1 << 13) - 1; // which no float16 has

    static bool fits(int64_t addresses) { return addresses <= kAddressBits + 1; }
    static PlacedKey nothing() { return {splat(kBelowAllKeys)}; }
    static PlacedKey of(Floats value, Ints address) { return {key_of(value, kAddressBits, address)}; }

    PlacedKey before(const PlacedKey& next) const { return {greatest(key, next.key)}; }
    PlacedKey after(const PlacedKey& before) const { return {greatest(key, before.key)}; }

    Floats value() const {
        return reinterpret_cast<Floats>(ordered(reinterpret_cast<Floats>(key & splat(~kAddressBits))));
    }
    Ints address() const { return key & splat(kAddressBits); }
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
