// Windows of 2 x 2 pixels side by side, NHWC, of fewer than 64 channels: a bit for each position of their two
// rows.
#pragma once

#include "layout.h"

#include <cstring>

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

class PixelBits {
public:
    static int64_t floats(int64_t width) { return kRows * step(width) * 2; }

    PixelBits(float* scratch, int64_t width, int64_t channels)
        : upper_(reinterpret_cast<uint64_t*>(scratch) + kWords), lower_(upper_ + step(width)),
          left_(lower_ + step(width)), channels_(channels) {
        std::memset(scratch, 0, static_cast<size_t>(floats(width)) * sizeof(float));
    }

    // The bits of a vector of positions from number `first` on, a multiple of their count: whether they have
    // their window's value, and whether they belong to the first pixel of two.
    template <class M>
    void set(int64_t first, M upper, M lower, M left) const {
        put(upper_, first, upper);
        put(lower_, first, lower);
        put(left_, first, left);
    }

    // What lies behind a row.
    void clear(int64_t first) const {
        put(upper_, first, Words{}), put(lower_, first, Words{}), put(left_, first, Words{});
    }

    // Of the lower row those of `count` positions that have their window's value as the first of the four.
    void tell(int64_t count) const {
        const int64_t words = count / kWordBits + 1;
        for (int64_t i = 0; i < words; i += kWords) {
            const Words left = get(left_ + i), upper = get(upper_ + i);
            const Words above =
                (upper | upper >> channels_ | get(upper_ + i + 1) << (kWordBits - channels_)) & left;
            put(left_, i * kWordBits, above);
            put(upper_, i * kWordBits, above | (get(lower_ + i) & left));
        }
        for (int64_t i = 0; i < words; i += kWords) {
            const Words earlier =
                get(upper_ + i) << channels_ | get(upper_ + i - 1) >> (kWordBits - channels_);
            put(lower_, i * kWordBits, get(lower_ + i) & ~(earlier | get(left_ + i)));
        }
    }

    // From any number on, which may lie in front of the row by less than a vector.
    template <class M>
    M lower(int64_t first) const {
        uint64_t word;
        std::memcpy(&word, reinterpret_cast<const char*>(lower_) + (first >> 3), sizeof word);
        return static_cast<M>(word >> (first & 7));
    }

private:
    typedef uint64_t Words __attribute__((vector_size(64)));

    static constexpr int64_t kRows = 3, kWordBits = 64, kWords = 8;

    static int64_t step(int64_t width) {
        return round_up(width, kWords * kWordBits) / kWordBits + 3 * kWords;
    }

    static Words get(const uint64_t* from) {
        Words words;
        std::memcpy(&words, from, sizeof words);
        return words;
    }

    template <class M>
    static void put(uint64_t* row, int64_t first, M bits) {
        std::memcpy(reinterpret_cast<char*>(row) + first / 8, &bits, sizeof bits);
    }

    uint64_t *const upper_, *const lower_, *const left_;
    const int64_t channels_;
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
