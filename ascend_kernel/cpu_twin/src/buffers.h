// The unified buffer as TPipe hands it out, the events of its queues, and the flags between pipes.
#pragma once

#include "order.h"
#include "ub.h"

#include <twin/engine.h>

#include <array>
#include <cstdint>
#include <vector>

namespace twin {

constexpr uint32_t kMaxBuffers = Ub::kMaxOwners;
constexpr int kEventKinds = 64;
constexpr int kEventIds = 8;

enum class BufferState : uint8_t { kFree, kOut, kQueued, kTaken, kNoQueue };

struct Buffer {
    UbSpan place;
    BufferState state = BufferState::kNoQueue; // kNoQueue: a TBuf's, always usable
    int filled_id = -1;                        // event ids that wait to be waited for
    int freed_id = -1;
    QueueEvents events{};
    Site site; // of the last AllocTensor
};

struct Flag {
    bool set = false;
    Order::Snapshot snapshot;
    Site site;
};

struct EventPool {
    uint8_t taken = 0;   // a bit an id
    uint8_t offered = 0; // ids that AllocEventID or FetchEventID has ever given out
    std::array<Flag, kEventIds> flags;
};

struct Buffers {
    bool pipe_alive = false;
    bool select_scratch_used = false; // Select mode 1 or 2 has run
    uint32_t top = 0;                 // bytes handed out
    std::vector<Buffer> all;
    std::array<EventPool, kEventKinds> events;

    BufferState state(int index) const { return all[static_cast<size_t>(index)].state; }
};

// Select modes 1 and 2 write this part of the unified buffer on arch 2201.
constexpr uint32_t kSelectScratchBegin = 184 * 1024;
constexpr uint32_t kSelectScratchEnd = 192 * 1024;

} // namespace twin
