// Windows one step apart along an axis, each with what is the greatest of its positions.
//
// They are told in blocks. Windows that begin with the axis share one walk that goes on from window to
// window. Of the others, a block is of at most `kernel` windows, which have a position in common: from there
// back to each one's first, and on to each one's last. About two steps a window, whatever the kernel is.
#pragma once

#include "../simd/unroll.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// N axes side by side, told together because each step waits for the one before.
template <class Seen, int N>
struct Abreast {
    Seen of[N];
};

// Windows [first, first + count).
struct Block {
    int64_t first, count;
};

// The first block, and the one behind another; of no windows where there is none.
inline Block first_block(const FastAxis& axis) {
    return {0, least(axis.output, axis.pad + 1)};
}

inline Block next_block(const FastAxis& axis, const Block& block) {
    const int64_t first = block.first + block.count;
    return {first, least(axis.output - first, axis.kernel)};
}

// Calls found(window, Abreast) for each window of a block in order, from at(position, axis) of each position.
// `Seen` has nothing(); a.before(b), the greater of a and what lies behind it, a where they are equal; and
// b.after(a), the same where b has been seen before. `kept` is room for a block's.
template <class Seen, int N, class At, class Found>
[[gnu::always_inline]] inline void slide(const FastAxis axis, const Block block, Abreast<Seen, N>* kept,
                                         const At& at, const Found& found) {
    Abreast<Seen, N> seen;
    const auto begin_anew = [&] { unroll<N>([&](auto n) { seen.of[n] = Seen::nothing(); }); };
    const auto go_on = [&](int64_t position) {
        unroll<N>([&](auto n) { seen.of[n] = seen.of[n].before(at(position, n)); });
    };
    const auto go_back = [&](int64_t position) {
        unroll<N>([&](auto n) { seen.of[n] = seen.of[n].after(at(position, n)); });
    };
    const auto find = [&](int64_t window, Abreast<Seen, N> all) {
        unroll<N>([&](auto n) { all.of[n] = all.of[n].before(seen.of[n]); });
        found(window, all);
    };
    const int64_t begin = block.first - axis.pad, end = begin + axis.kernel;
    begin_anew();
    if (block.first == 0) {
        for (int64_t window = 0, position = 0; window < block.count; ++window) {
            for (; position < least(axis.input, end + window); ++position) {
                go_on(position);
            }
            found(window, seen);
        }
        return;
    }
    int64_t position = least(end, axis.input) - 1;
    for (; position >= begin + block.count; --position) {
        go_back(position);
    }
    for (; position >= begin; --position) {
        go_back(position);
        kept[position - begin] = seen;
    }
    found(block.first, seen);
    begin_anew();
    const int64_t longer = least(block.count, axis.input - end + 1);
    int64_t window = 1;
    for (; window < longer; ++window) {
        go_on(end + window - 1);
        find(block.first + window, kept[window]);
    }
    for (; window < block.count; ++window) {
        find(block.first + window, kept[window]);
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
