#include "fast/targets.h"
#include "targets.h"

#include <maxpoolgrad/kernel.h>

#include <algorithm>
#include <atomic>

namespace maxpoolgrad {
namespace {

constexpr int64_t kUnit = 1024; // floats: parts begin on a cache line where the arrays do

float move_part(const MoveJob& job) {
#if defined(__x86_64__)
    if (chosen_target() == Target::kAvx512) {
        return avx512::move(job);
    }
    if (chosen_target() == Target::kAvx2) {
        return avx2::move(job);
    }
#endif
    return baseline::move(job);
}

} // namespace

float move_bytes(const MoveBytes& bytes, const Workers& workers) {
    const int64_t floats = bytes.large / 4, small_floats = bytes.small / 4;
    const int64_t units = ceil_div(floats, kUnit), parts = std::min<int64_t>(workers.threads, units);
    std::atomic<float> read{0};
    const auto task = [&](int64_t part) {
        const auto begin_of = [&](int64_t number) {
            return std::min(floats, number * units / parts * kUnit);
        };
        const auto small_of = [&](int64_t number) { return number * small_floats / parts; };
        MoveJob job{};
        job.orig_input = static_cast<const float*>(bytes.orig_input) + begin_of(part);
        job.orig_output = static_cast<const float*>(bytes.orig_output) + small_of(part);
        job.grad = static_cast<const float*>(bytes.grad) + small_of(part);
        job.out_grad = static_cast<float*>(bytes.out_grad) + begin_of(part);
        job.floats = begin_of(part + 1) - begin_of(part);
        job.small_floats = small_of(part + 1) - small_of(part);
        job.stream = bytes.past_caches;
        job.ahead = bytes.ahead;
        job.streams = bytes.streams;
        read.store(move_part(job), std::memory_order_relaxed);
    };
    if (parts == 1) {
        task(0);
    } else {
        workers.run(parts, task);
    }
    return read;
}

} // namespace maxpoolgrad
