// Windows of 2 x 2 pixels side by side, NHWC, of fewer channels than a vector has lanes: a row of orig_output
// or grad, spread over the positions of a row of orig_input, so that each window's values lie at both of its
// pixels.
#pragma once

#include "../simd/moves_avx512.h"
#include "../simd/shuffles.h"
#include "layout.h"

#include <cstring>
#include <type_traits>

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// A vector of T as it lies in memory.
template <class T>
using Bits = decltype(load_bits(static_cast<const T*>(nullptr)));

template <class T>
using BitMask = decltype(equal(Bits<T>{}, Bits<T>{}));

template <class T>
using Numbers = std::conditional_t<sizeof(T) == 2, Halves, Ints>;

// Lanes [begin, end) of a vector of T.
template <class T>
inline BitMask<T> lanes_between(int64_t begin, int64_t end) {
    const auto below = [](int64_t count) {
        return count >= kCount<T> ? ~uint64_t{0} : (uint64_t{1} << most(0, count)) - 1;
    };
    return static_cast<BitMask<T>>(below(end) & ~below(begin));
}

// How the values of a vector of positions are put in their places: all of them lie in one vector. There is
// one of these for each position in two pixels where the vector may begin.
template <class T>
struct SpreadMove {
    using Number = std::conditional_t<sizeof(T) == 2, int16_t, int32_t>;

    alignas(64) Number from[kCount<T>];
    int64_t first;     // value, behind that of the two pixels' first position
    int64_t next_pair; // the next vector's pixels' first value, behind this one's
    const SpreadMove* next;
    BitMask<T> values; // that are needed
    BitMask<T> left;   // lanes in the first pixel of two

    void set(int64_t rest, int64_t channels, SpreadMove* moves) {
        const int64_t two = 2 * channels, end = rest + kCount<T>;
        first = rest < channels ? 0 : rest - channels;
        for (int64_t lane = 0, pair = 0, within = rest; lane < kCount<T>; ++lane, ++within) {
            if (within == two) {
                within = 0;
                pair += channels;
            }
            from[lane] = static_cast<Number>(pair + (within < channels ? within : within - channels) - first);
        }
        left = 0;
        for (int64_t pixel = -rest; pixel < kCount<T>; pixel += two) {
            left = either(left, lanes_between<T>(pixel, pixel + channels));
        }
        const int64_t last = (end - 1) / two * channels + least((end - 1) % two, channels - 1);
        values = lanes_between<T>(0, last + 1 - first);
        next = moves + end % two;
        next_pair = end / two * channels;
    }
};

// A vector of positions: which of a row's values they are.
template <class T>
struct SpreadValues {
    Numbers<T> from;
    int64_t first; // in the row
    BitMask<T> needed;

    // Those of the lanes `where`, 0 in the others.
    Bits<T> read(const T* row, BitMask<T> where) const {
        return permute_where(where, load_where(needed, row + first), from);
    }
};

// Where a vector of positions begins: the values of its two pixels begin at `pair` in a row.
template <class T>
struct SpreadPlace {
    const SpreadMove<T>* move;
    int64_t pair;

    SpreadPlace next() const { return {move->next, pair + move->next_pair}; }

    SpreadValues<T> values() const {
        SpreadValues<T> values{{}, pair + move->first, move->values};
        std::memcpy(&values.from, move->from, sizeof values.from);
        return values;
    }

    // At an end of a row of `count` values: nothing is read outside of it.
    SpreadValues<T> values_inside(int64_t count) const {
        SpreadValues<T> inside = values();
        inside.needed = both(inside.needed, lanes_between<T>(-inside.first, count - inside.first));
        return inside;
    }
};

template <class T>
class Spread {
public:
    Spread(int64_t channels, float* scratch)
        : channels_(channels), moves_(reinterpret_cast<SpreadMove<T>*>(scratch)) {
        for (int64_t rest = 0; rest < 2 * channels; ++rest) {
            moves_[rest].set(rest, channels, moves_);
        }
    }

    static int64_t scratch(int64_t channels) {
        return 2 * channels * static_cast<int64_t>(sizeof(SpreadMove<T>) / sizeof(float));
    }

    // A position of a row, or in front of it by less than a vector.
    SpreadPlace<T> at(int64_t position) const {
        const int64_t two = 2 * channels_;
        const int64_t pair = (position + kCount<T> * two) / two - kCount<T>; // rounded down
        return {moves_ + (position - pair * two), pair * channels_};
    }

private:
    const int64_t channels_;
    SpreadMove<T>* const moves_;
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
