// Windows told tap by tap, NHWC: neighbouring channels of a pixel side by side in a vector.
#pragma once

#include "open_rows.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

template <class T, int K, int S>
class TapPixels {
public:
    TapPixels(const FastJob& job, float* scratch) : job_(job), pending_(scratch) {
        const int64_t channels = round_up(job.group, kLanes);
        nothing_ = reinterpret_cast<T*>(pending_ + kShared * channels);
        spare_ = nothing_ + channels;
        for (int64_t channel = 0; channel < channels; channel += kLanes) {
            store(nothing_ + channel, splat(__builtin_nanf("")));
        }
    }

    static bool fits(const FastJob& job) { return job.group >= 4; }
    static int64_t vectors(const FastJob& job) { return job.w.output * vectors_each(job); }
    static int64_t scratch(const FastJob& job) { return (kShared + 2) * round_up(job.group, kLanes); }

    // An input row, which is tap row R, R + S, ... of `rows`; `to` is null where nobody wants its gradient.
    template <int R>
    void row(const OpenRow<T>* rows, const T* from, T* to) const {
        const bool streamed = job_.stream && before_line(to) == 0 && job_.large.pixel_step % kLanes == 0;
        if (job_.group % kLanes != 0) {
            walk<R, false, false>(rows, from, to);
        } else if (to != nullptr && streamed) {
            walk<R, true, true>(rows, from, to);
        } else {
            walk<R, true, false>(rows, from, to);
        }
    }

private:
    static constexpr int kShared = K - S; // pixels that a window shares with the next one

    // Float32 of 2 x 2 waits for its stores: a tenth is lost where orig_output and grad are asked for, too.
    static constexpr bool kAskSmall = kShared > 0 || sizeof(T) == 2;

    // One window of a row.
    struct Window {
        const T* taps[K];
        T* to[S]; // its first taps', complete with it
        int64_t number;
    };

    static int64_t vectors_each(const FastJob& job) { return (job.group + kLanes - 1) / kLanes; }

    template <int R, bool whole, bool streamed>
    void walk(const OpenRow<T>* rows, const T* from, T* to) const {
        for (float* sum = pending_; sum < pending_ + kShared * round_up(job_.group, kLanes); sum += kLanes) {
            store(sum, Floats{});
        }
        int64_t pixel = -job_.w.pad;
        for (int64_t number = 0; number < job_.w.output; ++number, pixel += S) {
            Window window{{}, {}, number};
            unroll<K>([&](auto tap) {
                window.taps[tap] =
                    inside(pixel + tap) ? from + (pixel + tap) * job_.large.pixel_step : nothing_;
            });
            unroll<S>([&](auto tap) { window.to[tap] = place(to, pixel + tap); });
            for (int64_t channel = 0; channel < job_.group; channel += kLanes) {
                add_window<R, whole, streamed>(rows, window, channel);
            }
        }
        for (int64_t tap = 0; pixel < job_.w.input; ++tap, ++pixel) {
            T* rest = place(to, pixel);
            for (int64_t channel = 0; channel < job_.group; channel += kLanes) {
                write<whole, streamed>(rest, channel,
                                       tap < kShared ? load(pending(tap) + channel) : Floats{});
            }
        }
    }

    bool inside(int64_t pixel) const { return pixel >= 0 && pixel < job_.w.input; }

    T* place(T* to, int64_t pixel) const {
        return to != nullptr && inside(pixel) ? to + pixel * job_.large.pixel_step : spare_;
    }

    float* pending(int64_t tap) const { return pending_ + tap * round_up(job_.group, kLanes); }

    template <bool whole>
    [[gnu::always_inline]] Floats read(const T* from, int64_t channel) const {
        const int64_t rest = job_.group - channel;
        return whole || rest >= kLanes ? load(from + channel) : load_part(from + channel, rest);
    }

    template <bool whole, bool streamed>
    [[gnu::always_inline]] void write(T* to, int64_t channel, Floats value) const {
        const int64_t rest = job_.group - channel;
        if (whole || rest >= kLanes) {
            store_or_stream<streamed>(to + channel, value);
        } else {
            store_part(to + channel, value, rest);
        }
    }

    template <int R, bool whole, bool streamed>
    [[gnu::always_inline]] void add_window(const OpenRow<T>* rows, const Window& window,
                                           int64_t channel) const {
        Floats taps[K], sums[K];
        unroll<K>([&](auto tap) { taps[tap] = read<whole>(window.taps[tap], channel); });
        const int64_t small_place = window.number * job_.small.pixel_step;
        unroll<S>([&](auto tap) { ask_far_ahead(window.taps[K - S + tap] + channel); });
        if constexpr (R == 0 && kAskSmall) {
            ask_far_ahead(rows[kOpenRows<K, S, R> - 1].output + small_place + channel);
            ask_far_ahead(rows[kOpenRows<K, S, R> - 1].grad + small_place + channel);
        }
        const auto load_small = [&](const T* small) { return read<whole>(small + small_place, channel); };
        win_in<K, kOpenRows<K, S, R>>(rows, window.number * vectors_each(job_) + channel / kLanes, taps,
                                      load_small, sums);
        unroll<kShared>([&](auto tap) { sums[tap] += load(pending(tap) + channel); });
        unroll<S>([&](auto tap) { write<whole, streamed>(window.to[tap], channel, sums[tap]); });
        unroll<kShared>([&](auto tap) { store(pending(tap) + channel, sums[tap + S]); });
    }

    const FastJob& job_;
    float* const pending_; // the sums so far of the pixels that the next window shares
    T* nothing_;           // a pixel outside of the row
    T* spare_;             // for what nobody wants
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
