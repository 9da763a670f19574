// Where the positions of windows lie in memory. A rectangle of positions is cut into chunks of L elements in
// memory's order: at most as many as it has rows, where those are no longer, and fewer where rows are so
// short that a chunk holds several. 64 / L chunks make up a word, with a bit for each element that is the
// window's.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// A window along one axis: the element where it begins, and where the rectangles of its extent lie.
struct Line {
    int32_t first, rectangle;
};

inline int64_t most_rows(const FastAxis& axis) {
    return least(axis.kernel, axis.input);
}

// Chunks of the largest rectangle; smaller ones have no more.
inline int64_t most_chunks(const FastJob& job, int64_t elements) {
    const int64_t rows = most_rows(job.h), columns = most_rows(job.w);
    const int64_t by_rows = rows * ((columns + elements - 1) / elements);
    const int64_t span = (rows - 1) * job.large.row_step + columns;
    return least(by_rows, (span + elements - 1) / elements);
}

template <int L>
class Rectangles {
public:
    static constexpr int kChunks = 64 / L;
    static constexpr int64_t kWordInts = 2 + kChunks; // the bits, and what a bit's number lacks of its place

    Rectangles(const FastJob& job, int32_t* memory)
        : words_(words(job)), h_(reinterpret_cast<Line*>(memory)), w_(h_ + job.h.output),
          rectangles_(memory + 2 * (job.h.output + job.w.output)) {
        int32_t rows[kMostExtents], columns[kMostExtents];
        const int64_t size = words_ * kWordInts;
        const int64_t widths = fill_lines(job.w, 1, size, w_, columns);
        const int64_t heights = fill_lines(job.h, job.large.row_step, widths * size, h_, rows);
        for (int64_t i = 0; i < heights * widths; ++i) {
            fill(rows[i / widths], columns[i % widths], job.large.row_step, rectangles_ + i * size);
        }
    }

    static int64_t words(const FastJob& job) { return (most_chunks(job, L) + kChunks - 1) / kChunks; }

    static int64_t ints(const FastJob& job) {
        const auto extents = [](const FastAxis& axis) { return least(axis.output, axis.kernel + 1); };
        return 2 * (job.h.output + job.w.output) + extents(job.h) * extents(job.w) * words(job) * kWordInts;
    }

    const Line* h() const { return h_; }
    const Line* w() const { return w_; }
    const int32_t* all() const { return rectangles_; }

    static uint64_t inside(const int32_t* word) {
        uint64_t bits;
        __builtin_memcpy(&bits, word, sizeof bits);
        return bits;
    }
    static int64_t chunk(const int32_t* word, int64_t number) { return word[2 + number] + number * L; }
    static int64_t place(const int32_t* word, uint64_t bits) {
        const auto bit = static_cast<uint32_t>(__builtin_ctzll(bits));
        return static_cast<int64_t>(bit) + word[2 + bit / L];
    }

private:
    static constexpr int kMostExtents = 256; // a kernel has at most 255 positions along an axis

    // All windows of an axis have the same extent but for those at the edges. Returns how many extents there
    // are.
    static int64_t fill_lines(const FastAxis& axis, int64_t step, int64_t size, Line* lines,
                              int32_t* extents) {
        int64_t count = 0;
        for (int64_t window = 0; window < axis.output; ++window) {
            const Positions at = positions_of(axis, window);
            const auto extent = static_cast<int32_t>(most(0, at.end - at.begin));
            int64_t number = 0;
            while (number < count && extents[number] != extent) {
                ++number;
            }
            if (number == count) {
                extents[count++] = extent;
            }
            lines[window] = {static_cast<int32_t>(extent > 0 ? at.begin * step : 0),
                             static_cast<int32_t>(number * size)};
        }
        return count;
    }

    void fill(int64_t rows, int64_t columns, int64_t row_step, int32_t* word) const {
        for (int64_t i = 0; i < words_ * kWordInts; ++i) {
            word[i] = i % kWordInts < 2 ? 0 : static_cast<int32_t>((2 - i % kWordInts) * L);
        }
        int64_t chunk = -1, end = 0; // where the last chunk ends
        for (int64_t row = 0; row < rows; ++row) {
            for (int64_t at = row * row_step, left = columns; left > 0;) {
                if (at >= end) {
                    end = at + L;
                    word += ++chunk > 0 && chunk % kChunks == 0 ? kWordInts : 0;
                    word[2 + chunk % kChunks] = static_cast<int32_t>(at - chunk % kChunks * L);
                }
                const int64_t count = least(left, end - at), bit = chunk % kChunks * L + L - end + at;
                const uint64_t bits = inside(word) | ((uint64_t{1} << count) - 1) << bit;
                __builtin_memcpy(word, &bits, sizeof bits);
                at += count;
                left -= count;
            }
        }
    }

    const int64_t words_;
    Line *const h_, *const w_;
    int32_t* const rectangles_;
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
