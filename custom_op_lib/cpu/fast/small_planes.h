// Small windows, NCHW: neighbouring windows of a row side by side in a vector.
#pragma once

#include "../simd/shuffles.h"
#include "../simd/unroll.h"
#include "small_layout.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// The elements `first` .. of a row, NaN outside of it.
template <class T>
inline Floats load_inside(const T* row, int64_t first, int64_t width) {
    return first >= 0 && first + kLanes <= width ? load(row + first) : load_edge(row, first, width);
}

template <class T, int K, int S>
struct SmallPlanes {
    static int64_t vectors(const FastJob& job) { return (job.w.output + kLanes - 1) / kLanes; }

    // The taps of the windows of vector `v`, and where they stand in a row of windows.
    [[gnu::always_inline]] static void taps(const FastJob& job, const T* row, int64_t v, Floats* to) {
        const int64_t first = v * kLanes * S - job.w.pad, width = job.w.input;
        const bool inside = first >= 0 && first + kLanes * S + K - 1 <= width;
        if (inside) {
            read<true>(row, first, width, to);
        } else {
            read<false>(row, first, width, to);
        }
    }

    // Asks memory for what `taps` will read of a row.
    [[gnu::always_inline]] static void ask_ahead(const FastJob&, const T* row, int64_t v) {
        const char* from = reinterpret_cast<const char*>(row + v * kLanes * S);
        constexpr int64_t bytes = kLanes * S * static_cast<int64_t>(sizeof(T));
        for (int64_t line = 0; line < bytes; line += kLineBytes) {
            __builtin_prefetch(from + line);
        }
    }

    static int64_t place(const FastJob&, int64_t v) { return v * kLanes; }
    static int64_t small_place(const FastJob&, int64_t v) { return v * kLanes; }
    static int64_t lanes(const FastJob& job, int64_t v) { return least(kLanes, job.w.output - v * kLanes); }

    // An input row's gradients from its tap rows.
    static void gather(const FastJob& job, const float* taps, int64_t tap_step, T* to) {
        const int64_t width = job.w.input;
        const float* from[S];
        int rests[S];
        for (int phase = 0; phase < S; ++phase) {
            const int64_t padded = phase + job.w.pad;
            rests[phase] = static_cast<int>(padded % S);
            from[phase] = taps + padded / S;
        }
        const int64_t first = job.stream ? before(to, kLanes * static_cast<int64_t>(sizeof(T))) : 0;
        if (first % S == 0 && job.stream && first < width) {
            write<false>(from, rests, tap_step, 0, first, to);
            write<true>(from, rests, tap_step, first, width, to);
        } else {
            write<false>(from, rests, tap_step, 0, width, to);
        }
    }

private:
    template <bool streamed>
    static void write(const float* const* from, const int* rests, int64_t tap_step, int64_t done, int64_t end,
                      T* to) {
        for (; done < end; done += S * kLanes) {
            Floats apart[S], parts[S];
            unroll<S>(
                [&](auto phase) { apart[phase] = sum(from[phase] + done / S, rests[phase], tap_step); });
            put_together<S>(apart, parts);
            unroll<S>([&](auto part) {
                const int64_t at = done + part * kLanes;
                if (end - at >= kLanes) {
                    store_or_stream<streamed>(to + at, parts[part]);
                } else if (end - at > 0) {
                    store_part(to + at, parts[part], end - at);
                }
            });
        }
    }

    template <bool inside>
    static Floats read_one(const T* row, int64_t first, int64_t width) {
        return inside ? load(row + first) : load_inside(row, first, width);
    }

    template <bool inside>
    [[gnu::always_inline]] static void read(const T* row, int64_t first, int64_t width, Floats* to) {
        if constexpr (S == 1) {
            unroll<K>([&](auto tap) { to[tap] = read_one<inside>(row, first + tap, width); });
        } else {
            unroll<(K + S - 1) / S>([&](auto step) {
                Floats parts[S], apart[S];
                unroll<S>([&](auto part) {
                    parts[part] = read_one<inside>(row, first + step * S + part * kLanes, width);
                });
                take_apart<S>(parts, apart);
                unroll<S>([&](auto phase) {
                    if constexpr (step * S + phase < K) {
                        to[step * S + phase] = apart[phase];
                    }
                });
            });
        }
    }

    // The windows from left to right: their taps from right to left.
    static Floats sum(const float* taps, int rest, int64_t tap_step) {
        Floats total{};
        unroll<(K - 1) / S + 1>([&](auto index) {
            constexpr int step = (K - 1) / S - index;
            const int tap = rest + step * S;
            if (tap < K) {
                total += load(taps + tap * tap_step - step);
            }
        });
        return total;
    }
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
