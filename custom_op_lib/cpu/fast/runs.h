// Planes' gradients as runs: windows of one column, one below the other, that have the same first maximum.
#pragma once

#include "../simd/moves_avx512.h"
#include "down_rows.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int kTogether = 4; // planes
constexpr int64_t kMostPlaces = kMostRows * kLanes;

template <class T>
inline void clear(T* to, int64_t count) {
    T* const end = to + count;
    for (; end - to >= kLanes; to += kLanes) {
        store(to, Floats{});
    }
    store_part(to, Floats{}, end - to);
}

// A plane's runs, row by row of its windows from the first on. No room between the rows: what a vector writes
// too much is overwritten.
struct RunRows {
    float* sums;
    uint16_t* places;
    int64_t width;
    Floats sum{};
    Ints same{}, row = splat(int32_t{1}); // for each column, as bits, the rows that go on with a run

    // Of the windows that go on with the run above and those that do not.
    [[gnu::always_inline]] void put(Mask goes_on, Floats grad, Ints place) {
        sum = add_where(goes_on, grad, sum);
        same = either_where(goes_on, same, row);
        row += row;
        store(sums, sum);
        store_words(places, place);
        sums += width;
        places += width;
    }
};

// For each window of up to kTogether planes the sum of its run so far and the place that receives it, and
// which windows end a run. No room between their rows; planes are `pitch` windows apart.
class Runs {
public:
    Runs(int64_t height, int64_t width, int64_t pitch) : height_(height), width_(width), pitch_(pitch) {}

    RunRows rows(int64_t plane) { return {sums_ + plane * pitch_, places_ + plane * pitch_, width_}; }

    // All rows have been put.
    void end(int64_t plane, const RunRows& rows) {
        const Ints ends = ~(rows.same >> 1) & splat((int32_t{1} << height_) - 1);
        store(ends_ + plane * kLanes, ends);
    }

    // Adds a plane's sums to `total`, column by column, as the sums' order is: in each column a place has one
    // run.
    void add(int64_t plane, float* total) {
        const int64_t count = list(plane, plane + 1);
        for (int64_t i = 0; i < count; ++i) {
            const size_t window = list_[i];
            total[places_[window]] += sums_[window];
        }
    }

    // The same for the first planes, the places of which count through all of them. False where a place's
    // value is not the `output` of its windows.
    template <class T>
    bool add_checked(int64_t planes, const T* input, const T* output, float* total) {
        const int64_t count = list(0, planes);
        const float* const sums = sums_;
        const uint16_t *const places = places_, *const listed = list_;
#pragma GCC unroll 4
        for (int64_t i = 0; i < count; ++i) {
            const size_t window = listed[i], place = places[window];
            total[place] += sums[window];
            if (__builtin_expect(!same(input[place], output[window]), 0)) {
                return false;
            }
        }
        return true;
    }

private:
    static bool same(float a, float b) { return a == b; }
    static bool same(uint16_t a, uint16_t b) { return a == b && (a & 0x7fff) <= 0x7c00; } // no NaN

    // The planes' windows that end a run, column by column; how many. A column of one plane comes after the
    // same of another, so that no sum waits for the one before.
    int64_t list(int64_t begin, int64_t end) {
        Ints windows = lane_numbers() * splat(static_cast<int32_t>(width_));
        int64_t count = 0;
        for (int64_t column = 0; column < width_; ++column) {
            for (int64_t plane = begin; plane < end; ++plane) {
                const auto ends = static_cast<uint32_t>(ends_[plane * kLanes + column]);
                const Ints first = splat(static_cast<int32_t>(plane * pitch_));
                store_packed_words(list_ + count, static_cast<Mask>(ends), windows + first);
                count += __builtin_popcount(ends);
            }
            windows += splat(int32_t{1});
        }
        return count;
    }

    const int64_t height_, width_, pitch_;
    alignas(64) float sums_[kTogether * kMostPlaces + kLanes];
    alignas(64) int32_t ends_[kTogether * kLanes];
    alignas(64) uint16_t places_[kTogether * kMostPlaces + kLanes];
    uint16_t list_[kTogether * kMostPlaces + kLanes];
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
