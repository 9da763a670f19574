// Windows one step apart along an axis, each with what is the greatest of its positions.
//
// They are told in blocks. Windows that begin with the axis share one walk that goes on from window to
// window. Of the others, a block is of at most `kernel` windows, which have a position in common: from there
// back to each one's first, and on to each one's last. About two steps a window, whatever the kernel is.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

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

// Calls found(window, what is seen) for each window of a block in order, from at(position) of each position.
// `Seen` has nothing(); a.before(b), the greater of a and what lies behind it, a where they are equal; and
// b.after(a), the same where b has been seen before. `kept` is room for a block's.
template <class Seen, class At, class Found>
[[gnu::always_inline]] inline void slide(const FastAxis axis, const Block block, Seen* kept, const At& at,
                                         const Found& found) {
    const int64_t begin = block.first - axis.pad, end = begin + axis.kernel;
    Seen seen = Seen::nothing();
    if (block.first == 0) {
        for (int64_t window = 0, position = 0; window < block.count; ++window) {
            for (; position < least(axis.input, end + window); ++position) {
                seen = seen.before(at(position));
            }
            found(window, seen);
        }
        return;
    }
    int64_t position = least(end, axis.input) - 1;
    for (; position >= begin + block.count; --position) {
        seen = seen.after(at(position));
    }
    for (; position >= begin; --position) {
        seen = seen.after(at(position));
        kept[position - begin] = seen;
    }
    found(block.first, seen);
    seen = Seen::nothing();
    const int64_t longer = least(block.count, axis.input - end + 1);
    int64_t window = 1;
    for (; window < longer; ++window) {
        seen = seen.before(at(end + window - 1));
        found(block.first + window, kept[window].before(seen));
    }
    for (; window < block.count; ++window) {
        found(block.first + window, kept[window].before(seen));
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
