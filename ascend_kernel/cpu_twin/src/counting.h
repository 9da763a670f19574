// Counts what moves between global memory and a core.
#pragma once

#include <twin/report.h>

#include <cstdint>

namespace twin {

// One burst for each piece, or one for all where they follow on each other.
inline void count_bursts(Traffic& traffic, int64_t begin, int64_t bytes, int64_t step, uint32_t count) {
    if (bytes <= 0 || count == 0) {
        return;
    }
    traffic.bytes += static_cast<uint64_t>(bytes) * count;
    const bool joined = count == 1 || step == bytes;
    const uint32_t bursts = joined ? 1 : count;
    const uint64_t size = static_cast<uint64_t>(joined ? bytes * count : bytes);
    traffic.bursts += bursts;
    traffic.burst_sizes[static_cast<size_t>(63 - __builtin_clzll(size)) % traffic.burst_sizes.size()] +=
        bursts;
    for (uint32_t i = 0; i < bursts; ++i) {
        traffic.unaligned_bursts += (begin + step * i) % 512 != 0;
    }
}

} // namespace twin
