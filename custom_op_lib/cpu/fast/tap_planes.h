// Windows told tap by tap, NCHW: neighbouring windows of a row side by side in a vector.
#pragma once

#include "open_rows.h"
#include "tap_lanes.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class T, int K, int S, int P>
class TapPlanes {
public:
    TapPlanes(const FastJob& job, float* scratch) : job_(job), spare_(reinterpret_cast<T*>(scratch)) {}

    static bool fits(const FastJob& job) { return Lanes::fits(job); }
    static int64_t vectors(const FastJob& job) { return Lanes::vectors(job); }
    static int64_t scratch(const FastJob& job) { return job.w.input; }

    // An input row, which is tap row R, R + S, ... of `rows`; `to` is null where nobody wants its gradient.
    template <int R>
    void row(const OpenRow<T>* rows, const T* from, T* to) const {
        if (to != nullptr && streams(to)) {
            write<R, true>(rows, from, to);
        } else {
            write<R, false>(rows, from, to == nullptr ? spare_ : to);
        }
    }

private:
    using Lanes = TapLanes<T, K, S, P>;
    using Phases = typename Lanes::Phases;
    using Sums = typename Lanes::Sums;

    // Stores of less than half a cache line, other ones between them, would leave lines half written.
    bool streams(const T* to) const {
        return kLanes >= 8 && job_.stream && before_line(to) == 0 && job_.w.input % kLanes == 0;
    }

    // Sums of a vector's positions come from the next vector of windows, too.
    static constexpr int64_t kLag = P > 0;

    template <int R, bool streamed>
    void write(const OpenRow<T>* rows, const T* from, T* to) const {
        const int64_t width = job_.w.input, count = Lanes::vectors(job_);
        Phases before = Lanes::outside(), here = Lanes::read(from, 0, width), after;
        Sums older{}, old{}, sums;
        for (int64_t v = 0; v < count; ++v) {
            after = Lanes::read(from, v + 1, width);
            if constexpr (streamed) {
                unroll<S>([&](auto part) { ask_ahead(from + (v * S + part) * kLanes); });
                ask_far_ahead(rows[kOpenRows<K, S, R> - 1].output + v * kLanes);
                ask_far_ahead(rows[kOpenRows<K, S, R> - 1].grad + v * kLanes);
            }
            Floats taps[K];
            Lanes::taps(before, here, after, taps);
            win_in<K, kOpenRows<K, S, R>>(
                rows, v, taps, [&](const T* small) { return Lanes::read_small(small, v, job_.w.output); },
                sums.of);
            if (kLag == 0) {
                Lanes::template finish<streamed>(old, sums, sums, to, v, width);
            } else if (v > 0) {
                Lanes::template finish<streamed>(older, old, sums, to, v - 1, width);
            }
            before = here;
            here = after;
            older = old;
            old = sums;
        }
        if constexpr (kLag > 0) {
            Lanes::template finish<streamed>(older, old, Sums{}, to, count - 1, width);
        }
    }

    const FastJob& job_;
    T* const spare_;
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
