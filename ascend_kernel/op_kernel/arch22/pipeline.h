// Tiles in flight: while one is computed, the next one is loaded and the one before is stored.
#pragma once

#include "walk.h"

namespace maxpoolgrad::arch22 {

// The order of the two transfer pipes and the vector unit on the slots that hold tiles.
class Slots {
public:
    __aicore__ inline Slots(AscendC::TPipe& pipe, int32_t count) : pipe_(pipe), count_(count) {
        for (int32_t i = 0; i < count_; ++i) {
            loaded_[i] = pipe_.AllocEventID<AscendC::HardEvent::MTE2_V>();
            computed_[i] = pipe_.AllocEventID<AscendC::HardEvent::V_MTE3>();
            stored_[i] = pipe_.AllocEventID<AscendC::HardEvent::MTE3_MTE2>();
            busy_[i] = false;
        }
    }

    __aicore__ inline int32_t count() const { return count_; }

    __aicore__ inline void begin_load(int32_t slot) {
        if (busy_[slot]) {
            AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(stored_[slot]);
        }
        busy_[slot] = false;
    }
    __aicore__ inline void end_load(int32_t slot) {
        AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(loaded_[slot]);
    }
    __aicore__ inline void begin_compute(int32_t slot) {
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(loaded_[slot]);
    }
    __aicore__ inline void end_compute(int32_t slot) {
        AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(computed_[slot]);
    }
    __aicore__ inline void begin_store(int32_t slot) {
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(computed_[slot]);
    }
    __aicore__ inline void end_store(int32_t slot) {
        AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>(stored_[slot]);
        busy_[slot] = true;
    }

    // Waits for all stores and gives the events back.
    __aicore__ inline void finish() {
        for (int32_t i = 0; i < count_; ++i) {
            begin_load(i);
            pipe_.ReleaseEventID<AscendC::HardEvent::MTE2_V>(loaded_[i]);
            pipe_.ReleaseEventID<AscendC::HardEvent::V_MTE3>(computed_[i]);
            pipe_.ReleaseEventID<AscendC::HardEvent::MTE3_MTE2>(stored_[i]);
        }
        AscendC::PipeBarrier<PIPE_ALL>();
    }

private:
    static constexpr int32_t kMost = 2;

    AscendC::TPipe& pipe_;
    int32_t count_;
    AscendC::TEventID loaded_[kMost], computed_[kMost], stored_[kMost];
    bool busy_[kMost];
};

// `Engine` computes tiles that its layout loads and stores.
template <class Engine>
class Pipeline {
public:
    __aicore__ inline Pipeline(AscendC::TPipe& pipe, Engine& engine)
        : engine_(engine), slots_(pipe, static_cast<int32_t>(engine.stage().slots)) {}

    // Does what is left of the walk, or up to a segment that the engine finds it cannot do: false, with that
    // segment.
    __aicore__ inline bool run(Walk& walk, Segment& failed) {
        Tile tile, following;
        bool more = walk.next(tile);
        int32_t slot = 0;
        if (more) {
            load(tile, slot);
        }
        while (more) {
            const int32_t other = slots_.count() > 1 ? 1 - slot : slot;
            const Walk before = walk;
            const bool next = walk.next(following);
            if (next && other != slot) {
                load(following, other);
            }
            slots_.begin_compute(slot);
            const bool done = engine_.compute(tile, slot);
            slots_.end_compute(slot);
            slots_.begin_store(slot);
            engine_.layout().store(tile, slot);
            slots_.end_store(slot);
            if (!done) {
                failed = tile.segment;
                walk.resume(before);
                if (next && other != slot) {
                    slots_.begin_compute(other); // what has been loaded in vain
                }
                slots_.finish();
                return false;
            }
            if (next && other == slot) {
                load(following, other);
            }
            tile = following;
            more = next;
            slot = other;
        }
        slots_.finish();
        return true;
    }

private:
    __aicore__ inline void load(const Tile& tile, int32_t slot) {
        slots_.begin_load(slot);
        engine_.layout().load(tile, slot);
        slots_.end_load(slot);
    }

    Engine& engine_;
    Slots slots_;
};

} // namespace maxpoolgrad::arch22
