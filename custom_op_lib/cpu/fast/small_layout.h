// Where the strategy for small windows keeps what it carries from row to row.
#pragma once

#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kSmallCache = 6 * 1024; // floats: most of a first-level cache

// Tap rows: for each finished input row and each tap, the sums of the windows whose first tap it is; zeros in
// front of the windows and behind. Kept rows: for each vector of windows the rows that the next windows
// share.
struct SmallLayout {
    int64_t windows; // floats of a row of windows
    int64_t front;
    int64_t tap;   // floats from tap to tap
    int64_t row;   // floats from row to row
    int64_t block; // rows of windows worked on together
    int64_t kept;  // floats a vector of windows
    int64_t rows;  // tap rows of a block
};

template <int K, int S>
inline SmallLayout small_layout(const FastJob& job) {
    SmallLayout at{};
    at.windows = round_up(job.w.output * job.group, kLanes);
    at.front = round_up((K - 1) / S * job.group, 16);
    const int64_t slots = most(job.w.output, (job.w.input - 1 + job.w.pad) / S + 1);
    at.tap = round_up(at.front + slots * job.group + 2 * kLanes, 16);
    at.row = K * at.tap;
    at.block = most(1, least(job.h.output, kSmallCache / (S * at.row)));
    at.kept = (K - S) * (K + 2) * kLanes;
    at.rows = at.block * S + K;
    return at;
}

template <int K, int S>
inline int64_t small_scratch(const FastJob& job) {
    const SmallLayout at = small_layout<K, S>(job);
    return at.rows * at.row + (at.windows / kLanes + job.w.output) * at.kept;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
