// The runs of a column of windows, a vector of columns side by side, and their sums.
#pragma once

#include "../simd/moves_avx512.h"
#include "../simd/unroll.h"
#include "layout.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// What receives a run's sum, and which sum of the column's: its last window's.
struct Run {
    uint16_t address, sum;
};

constexpr int64_t kMostAddresses = int64_t{1} << 16;

// In memory: a vector of sums for each window, and the runs behind them.
class RunList {
public:
    RunList() = default;
    RunList(float* memory, int64_t windows)
        : sums_(memory), next_sum_(memory), runs_(reinterpret_cast<Run*>(memory + windows * kLanes)),
          end_(runs_) {}

    static int64_t floats(int64_t windows) { return 2 * windows * kLanes; }

    // The lanes whose run ends with the last window that was added.
    [[gnu::always_inline]] void end(Mask lanes, Ints addresses) {
        end_ += store_packed(end_, lanes, addresses + last_sums_);
    }

    // A window: the sums of its runs so far.
    [[gnu::always_inline]] void add(Floats sum) {
        store(next_sum_, sum);
        next_sum_ += kLanes;
        last_sums_ += splat(int32_t{kLanes << 16});
    }

    [[gnu::noinline]] void add_up(float* totals) const {
        const float* sums = sums_;
        const auto add_one = [=](Run run) { totals[run.address] += sums[run.sum]; };
        const Run *run = runs_, *end = end_;
        for (; run + 8 <= end; run += 8) {
            unroll<8>([=](auto i) { add_one(run[i]); });
        }
        for (; run < end; ++run) {
            add_one(*run);
        }
    }

private:
    float *sums_, *next_sum_;
    Run *runs_, *end_;
    Ints last_sums_ = (lane_numbers() - splat(int32_t{kLanes})) << 16;
};

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
