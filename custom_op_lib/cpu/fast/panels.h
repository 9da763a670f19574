// NHWC a vector of channels at a time, whole columns of them: the next one's memory is asked for as this
// one's is read, because its lines lie far apart.
#pragma once

#include "band.h"
#include "streaming.h"

namespace maxpoolgrad::MAXPOOLGRAD_TARGET {
namespace {

// Channels from `channel` on of group number `unit`.
struct Panel {
    int64_t unit, channel;
};

inline int64_t first_element(const FastJob& job, const FastTensor& tensor, const Panel& panel) {
    return first_element(job, tensor, panel.unit) + panel.channel;
}

// Into the second-level cache: a panel is about as large as the first.
template <class T>
inline void ask_for_next(const T* from) {
    __builtin_prefetch(from, 0, 2);
}

// Calls strategy.run(panel, next) for all of the groups [begin, end): false where the panel is to be written
// again.
template <class Strategy>
inline void run_panels(const FastJob& job, int64_t begin, int64_t end, const Band& band, const Redo& redo,
                       Strategy& strategy) {
    for (int64_t unit = begin; unit < end; ++unit) {
        bool right = true;
        for (int64_t channel = 0; channel < job.group; channel += kLanes) {
            const Panel panel{unit, channel};
            const bool last = channel + kLanes >= job.group;
            const Panel next = last ? Panel{least(unit + 1, end - 1), 0} : Panel{unit, channel + kLanes};
            right = strategy.run(panel, next) && right;
        }
        if (!right) {
            redo.call(redo.context, unit, band.begin, band.end);
        }
    }
}

} // namespace
} // namespace maxpoolgrad::MAXPOOLGRAD_TARGET
