// Flags and barriers between the pipes of a core, and the pools that event ids come from.
#include "core.h"

namespace twin {

namespace {

EventPool& pool_of(Core& core, uint8_t event) {
    return core.buffers.events[event % kEventKinds];
}

std::string pipes(int from, int to) {
    return std::string(name_of(static_cast<Pipe>(from))) + "_" + name_of(static_cast<Pipe>(to));
}

// Ids 0 to 5 are the kernel's own; 6 and 7 only where the pool gave them out.
bool usable(Core& core, uint8_t event, int from, int to, int id, Op op, Site site) {
    if (from < 0 || to < 0 || event >= kEventKinds) {
        core.fault(FaultKind::kEventId, op, site,
                   "a vector core has no such event: its pipes are S, V, MTE2 and MTE3");
        return false;
    }
    if (id < 0 || id >= kEventIds) {
        core.fault(FaultKind::kEventId, op, site,
                   "event id " + std::to_string(id) + " of " + pipes(from, to) + "; ids are 0 to 7");
        return false;
    }
    if (id >= 6 && (pool_of(core, event).offered & (1u << id)) == 0) {
        core.fault(FaultKind::kEventId, op, site,
                   "event id " + std::to_string(id) + " of " + pipes(from, to) +
                       " is the system's; use 0 to 5, or an id from AllocEventID or FetchEventID");
    }
    return true;
}

} // namespace

void set_flag(uint8_t event, int from, int to, int id, Site site) {
    Core& core = this_core();
    ++core.instructions[static_cast<int>(Op::kSetFlag)].instructions;
    if (!usable(core, event, from, to, id, Op::kSetFlag, site)) {
        return;
    }
    Flag& flag = pool_of(core, event).flags[static_cast<size_t>(id)];
    if (flag.set) {
        core.fault(FaultKind::kFlagSetTwice, Op::kSetFlag, site,
                   "flag " + std::to_string(id) + " of " + pipes(from, to) + " is still set from line " +
                       std::to_string(flag.site.line) + "; WaitFlag must come between two SetFlag");
    }
    flag = {true, core.order.flag_set(static_cast<Pipe>(from)), site};
}

void wait_flag(uint8_t event, int from, int to, int id, Site site) {
    Core& core = this_core();
    ++core.instructions[static_cast<int>(Op::kWaitFlag)].instructions;
    if (!usable(core, event, from, to, id, Op::kWaitFlag, site)) {
        return;
    }
    Flag& flag = pool_of(core, event).flags[static_cast<size_t>(id)];
    if (!flag.set) {
        core.fault(FaultKind::kFlagNeverSet, Op::kWaitFlag, site,
                   "flag " + std::to_string(id) + " of " + pipes(from, to) +
                       " is not set, so the pipe hangs; SetFlag of the same event and id must come first");
        return;
    }
    flag.set = false;
    core.order.flag_waited(static_cast<Pipe>(to), flag.snapshot);
}

void pipe_barrier(int pipe, Site) {
    Core& core = this_core();
    ++core.instructions[static_cast<int>(Op::kPipeBarrier)].instructions;
    if (pipe < 0) {
        core.order.barrier_all();
    } else {
        core.order.barrier(static_cast<Pipe>(pipe));
    }
}

int alloc_event(uint8_t event, Site site) {
    Core& core = this_core();
    EventPool& pool = pool_of(core, event);
    for (int id = 0; id < kEventIds; ++id) {
        if ((pool.taken & (1u << id)) == 0) {
            pool.taken = static_cast<uint8_t>(pool.taken | (1u << id));
            pool.offered = static_cast<uint8_t>(pool.offered | (1u << id));
            return id;
        }
    }
    core.fault(FaultKind::kEventId, Op::kAllocEventID, site,
               "all 8 ids of the event are taken; buffers that are free or queued hold one each, so queues "
               "between two pipes have at most 8 buffers together");
    return kEventIds - 1;
}

int fetch_event(uint8_t event, Site site) {
    const int id = alloc_event(event, site);
    release_event(event, id, site);
    return id;
}

void release_event(uint8_t event, int id, Site site) {
    Core& core = this_core();
    if (id < 0 || id >= kEventIds) {
        core.fault(FaultKind::kEventId, Op::kAllocEventID, site,
                   "event id " + std::to_string(id) + " is released; ids are 0 to 7");
        return;
    }
    EventPool& pool = pool_of(core, event);
    pool.taken = static_cast<uint8_t>(pool.taken & ~(1u << id));
}

} // namespace twin
