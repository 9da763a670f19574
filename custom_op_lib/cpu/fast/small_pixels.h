// Small windows, NHWC: neighbouring channels of a pixel side by side in a vector.
#pragma once

#include "../simd/unroll.h"
#include "small_layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class T, int K, int S>
struct SmallPixels {
    static int64_t vectors_each(const FastJob& job) { return (job.group + kLanes - 1) / kLanes; }
    static int64_t vectors(const FastJob& job) { return job.w.output * vectors_each(job); }

    [[gnu::always_inline]] static void taps(const FastJob& job, const T* row, int64_t v, Floats* to) {
        const int64_t window = v / vectors_each(job), channel = v % vectors_each(job) * kLanes;
        const int64_t rest = job.group - channel;
        unroll<K>([&](auto tap) {
            const int64_t pixel = window * S - job.w.pad + tap;
            const T* from = row + pixel * job.large.pixel_step + channel;
            const bool inside = pixel >= 0 && pixel < job.w.input;
            to[tap] =
                !inside ? splat(__builtin_nanf("")) : (rest >= kLanes ? load(from) : load_part(from, rest));
        });
    }

    // Asks memory for what `taps` will read of a row and no earlier window has.
    [[gnu::always_inline]] static void ask_ahead(const FastJob& job, const T* row, int64_t v) {
        const int64_t window = v / vectors_each(job), channel = v % vectors_each(job) * kLanes;
        unroll<S>([&](auto pixel) {
            __builtin_prefetch(row + (window * S + pixel) * job.large.pixel_step + channel);
        });
    }

    static int64_t place(const FastJob& job, int64_t v) {
        return v / vectors_each(job) * job.group + v % vectors_each(job) * kLanes;
    }
    static int64_t small_place(const FastJob& job, int64_t v) {
        return v / vectors_each(job) * job.small.pixel_step + v % vectors_each(job) * kLanes;
    }
    static int64_t lanes(const FastJob& job, int64_t v) {
        return least(kLanes, job.group - v % vectors_each(job) * kLanes);
    }

    static void gather(const FastJob& job, const float* taps, int64_t tap_step, T* to) {
        for (int64_t pixel = 0; pixel < job.w.input; ++pixel, to += job.large.pixel_step) {
            const int64_t padded = pixel + job.w.pad;
            const int rest = static_cast<int>(padded % S);
            const float* from = taps + padded / S * job.group;
            for (int64_t channel = 0; channel < job.group; channel += kLanes) {
                Floats total{};
                unroll<(K - 1) / S + 1>([&](auto index) {
                    constexpr int step = (K - 1) / S - index;
                    const int tap = rest + step * S;
                    if (tap < K) {
                        total += load(from + channel + tap * tap_step - step * job.group);
                    }
                });
                if (job.group - channel >= kLanes) {
                    store(to + channel, total);
                } else {
                    store_part(to + channel, total, job.group - channel);
                }
            }
        }
    }
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
