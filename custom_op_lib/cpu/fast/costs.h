// What strategies for single channels cost, in cycles for a plane: fitted to the times of 480 poolings at
// random on a Zen 4. Only their ratios matter.
#pragma once

#include "first_places.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

inline bool overlap(const FastAxis& axis) {
    return axis.kernel > axis.stride && axis.output > 1;
}

inline double vectors(int64_t count) {
    return static_cast<double>((count + kLanes - 1) / kLanes);
}

inline double chunk_cycles(const FastJob& job) {
#if defined(__AVX512BW__)
    if (half_chunks_do(job)) {
        return static_cast<double>(most_chunks(job, HalfChunk::kElements)) * 1.5;
    }
    return static_cast<double>(most_chunks(job, Chunk::kElements)) * 2.4;
#else
    return static_cast<double>(most_chunks(job, Chunk::kElements)) * 2.4;
#endif
}

// search.h: windows, and chunks of them.
inline double search_cycles(const FastJob& job) {
    const auto windows = static_cast<double>(job.h.output * job.w.output);
    const auto positions = static_cast<double>(job.h.input * job.w.input);
    const double chunks = chunk_cycles(job);
    const double sums = overlap(job.h) && overlap(job.w) ? 6 : 0;
    return windows * (6 + sums + chunks) + positions / 3 + 10;
}

// side_by_side.h: a vector of planes at a time.
inline double turned_cycles(const FastJob& job) {
    const auto windows = static_cast<double>(job.h.output * job.w.output);
    const auto positions = static_cast<double>(job.h.input * job.w.input);
    const double rows = static_cast<double>(job.h.input * job.w.output * job.w.kernel) * 4.6;
    const double columns = windows * static_cast<double>(most_rows(job.h)) * 18;
    const double gathered = positions * static_cast<double>((job.w.kernel - 1) / job.w.stride + 1) * 2.3;
    const double each = positions * 2.2 + windows + (rows + columns + gathered) / kLanes + 40;
    return each * vectors(job.groups) * kLanes / static_cast<double>(job.groups);
}

// separable.h: a vector of a row's windows at a time.
inline double row_cycles(const FastJob& job, int64_t shuffled) {
    const auto height = static_cast<double>(job.h.input), columns = static_cast<double>(most_rows(job.h));
    const auto kernel = static_cast<double>(job.w.kernel), stride = static_cast<double>(job.w.stride);
    const double a_row = vectors(job.w.output) * (9 * stride + 8.5 * kernel) + 25;
    const double a_position = job.w.stride > shuffled ? 2.9 : 0.4;
    return height * (a_row + a_position * static_cast<double>(job.w.input)) +
           static_cast<double>(job.h.output) * vectors(job.w.output) * columns * 6.5 + 200;
}

// one_vector_rows.h.
inline double one_vector_cycles(const FastJob& job) {
    return static_cast<double>(job.h.input + job.h.output) * 26;
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
