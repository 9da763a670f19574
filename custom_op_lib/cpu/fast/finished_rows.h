// Rows of out_grad that are finished: a position's sums become one, and zeros for the next row in the ring.
//
// They are stored while the next rows of orig_input are looked at: memory is written while it is read.
#pragma once

#include "key_rows.h"
#include "scatter_layout.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

constexpr int64_t kShortestStreamed = 768; // bytes of a row that begins within a line

template <class T>
class FinishedRows {
public:
    FinishedRows(const ScatterLayout& at, float* sums, bool stream)
        : at_(at), sums_(sums),
          stream_(stream && (row_bytes(at) % kLineBytes == 0 || row_bytes(at) >= kShortestStreamed)) {}

    // Row number `ring_row` of the sums is finished; `to` is its row of out_grad, none if nobody wants it.
    void finish(int64_t ring_row, T* to) {
        float* const sums = sums_ + ring_row * at_.sums + at_.front;
        if (to == nullptr) {
            clear(sums, at_.row);
            return;
        }
        if (waiting_ == kMostSide) {
            store_rest(0);
        }
        const int64_t head = stream_ ? least(at_.row, before_line(to)) : 0;
        finish_part<false>(sums, to, head);
        waits_[waiting_++] = {sums + head, to + head, at_.row - head};
    }

    // Four vectors of each row that waits, from element i on.
    [[gnu::always_inline]] void meanwhile(int64_t i) {
        for (int64_t row = 0; row < waiting_; ++row) {
            const auto& [sums, to, count] = waits_[row];
            if (i + 4 * kLanes > count) {
                continue;
            }
            if (stream_) {
                finish_vectors<4, true>(sums + i, to + i, at_.slots, at_.slot, Constant<kLanes>{});
            } else {
                finish_vectors<4, false>(sums + i, to + i, at_.slots, at_.slot, Constant<kLanes>{});
            }
        }
    }

    // What is left of the rows that wait; i elements were seen by meanwhile().
    void store_rest(int64_t i) {
        for (int64_t row = 0; row < waiting_; ++row) {
            const auto& [sums, to, count] = waits_[row];
            const int64_t rest = least(i, count / (4 * kLanes) * (4 * kLanes));
            if (stream_) {
                finish_part<true>(sums + rest, to + rest, count - rest);
            } else {
                finish_part<false>(sums + rest, to + rest, count - rest);
            }
        }
        waiting_ = 0;
    }

    // As before the first row.
    void forget() {
        waiting_ = 0;
        for (int64_t i = 0; i < nobodys(at_); i += kLanes) {
            store(sums_ + i, Floats{});
        }
    }

private:
    // A row, its part that may be stored past the caches.
    struct Waiting {
        float* sums;
        T* to;
        int64_t count;
    };

    static int64_t row_bytes(const ScatterLayout& at) { return at.row * static_cast<int64_t>(sizeof(T)); }

    void clear(float* sums, int64_t count) const {
        for (int64_t slot = 0; slot < at_.slots; ++slot) {
            for (int64_t i = 0; i < count; ++i) {
                sums[slot * at_.slot + i] = 0;
            }
        }
    }

    template <bool streamed>
    void finish_part(float* sums, T* to, int64_t count) const {
        along(count, [&](auto vectors, int64_t i, auto lanes) {
            finish_vectors<vectors, streamed>(sums + i, to + i, at_.slots, at_.slot, lanes);
        });
    }

    template <int N, bool streamed, class Lanes>
    [[gnu::always_inline]] static void finish_vectors(float* sums, T* to, int64_t slots, int64_t slot,
                                                      Lanes lanes) {
        Floats total[N];
        unroll<N>([&](auto n) {
            total[n] = load(sums + n * kLanes);
            store_total<false>(sums + n * kLanes, Floats{}, lanes);
        });
        for (int64_t more = 1; more < slots; ++more) {
            sums += slot;
            unroll<N>([&](auto n) {
                total[n] += load(sums + n * kLanes);
                store_total<false>(sums + n * kLanes, Floats{}, lanes);
            });
        }
        unroll<N>([&](auto n) { store_total<streamed>(to + n * kLanes, total[n], lanes); });
    }

    template <bool streamed, class To>
    [[gnu::always_inline]] static void store_total(To* to, Floats total, Constant<kLanes>) {
        store_or_stream<streamed>(to, total);
    }

    template <bool streamed, class To>
    static void store_total(To* to, Floats total, int64_t lanes) {
        store_part(to, total, lanes);
    }

    const ScatterLayout at_;
    float* const sums_;
    const bool stream_;
    Waiting waits_[kMostSide];
    int64_t waiting_ = 0;
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
