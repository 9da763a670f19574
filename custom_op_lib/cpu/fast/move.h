// The roof: moves the bytes of a gradient and computes nothing.
#pragma once

#include "layout.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kMoveBlock = 1024; // floats of orig_input between two looks at the other inputs

inline Floats read_all(const float* from, int64_t begin, int64_t end, Floats sum) {
    for (int64_t i = begin / kLanes * kLanes; i + kLanes <= end; i += kLanes) {
        sum = greatest(load(from + i), sum);
    }
    return sum;
}

template <bool streamed>
inline Floats move_block(const MoveJob& job, int64_t begin, Floats sum) {
    const double share = static_cast<double>(job.small_floats) / static_cast<double>(job.floats);
    const auto small = static_cast<int64_t>(static_cast<double>(begin) * share);
    const auto small_end = static_cast<int64_t>(static_cast<double>(begin + kMoveBlock) * share);
    for (int64_t i = begin; i < begin + kMoveBlock; i += kLanes) {
        if (job.ahead) {
            ask_ahead(job.orig_input + i);
        }
        store_or_stream<streamed>(job.out_grad + i, load(job.orig_input + i));
    }
    return read_all(job.grad, small, small_end, read_all(job.orig_output, small, small_end, sum));
}

template <bool streamed>
inline Floats move_all(const MoveJob& job) {
    Floats sum{};
    const int64_t blocks = job.floats / kMoveBlock, each = (blocks + job.streams - 1) / job.streams;
    for (int64_t block = 0; block < each; ++block) {
        for (int64_t stream = 0; stream < job.streams; ++stream) {
            if (stream * each + block < blocks) {
                sum = move_block<streamed>(job, (stream * each + block) * kMoveBlock, sum);
            }
        }
    }
    for (int64_t i = blocks * kMoveBlock; i < job.floats; ++i) {
        job.out_grad[i] = job.orig_input[i];
    }
    end_streams();
    return sum;
}

} // namespace

float move(const MoveJob& job) {
    const bool streamed = job.stream && before_line(job.out_grad) == 0;
    float sums[kLanes];
    store(sums, streamed ? move_all<true>(job) : move_all<false>(job));
    return sums[0];
}

} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
