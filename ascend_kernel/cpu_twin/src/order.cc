#include "order.h"

#include <algorithm>

namespace twin {

uint32_t Order::issue(Pipe pipe, Op op, Site site) {
    const uint32_t id = ++next_;
    last_[index(pipe)] = id;
    ring_[id % kRemembered] = {id, op, site.line};
    if (pipe != Pipe::kS) {
        // The scalar unit issues in order: what it has waited for is done before anything that it issues
        // later.
        auto& mine = known_[index(pipe)];
        const auto& scalar = known_[index(Pipe::kS)];
        for (size_t other = 1; other < kPipes; ++other) {
            mine[other] = std::max(mine[other], scalar[other]);
        }
    }
    return id;
}

bool Order::ordered_by_others(Pipe pipe, Pipe earlier, uint32_t id) {
    if (pipe == Pipe::kS && earlier == Pipe::kS) {
        return true;
    }
    const bool vectors = pipe == Pipe::kV && earlier == Pipe::kV;
    const bool scalar = pipe == Pipe::kS || earlier == Pipe::kS;
    if ((vectors && (vector_is_ordered_ || automatic_sync_)) || (scalar && automatic_sync_)) {
        known_[index(pipe)][index(earlier)] = id; // it waits here
        return true;
    }
    return false;
}

bool Order::settled(Pipe earlier, uint32_t id) const {
    return known_[index(Pipe::kMte2)][index(earlier)] >= id &&
           known_[index(Pipe::kMte3)][index(earlier)] >= id;
}

Order::Snapshot Order::flag_set(Pipe from) const {
    Snapshot snapshot{known_[index(from)]};
    if (from != Pipe::kS) {
        const auto& scalar = known_[index(Pipe::kS)];
        for (size_t other = 1; other < kPipes; ++other) {
            snapshot.done[other] = std::max(snapshot.done[other], scalar[other]);
        }
    }
    snapshot.done[index(from)] = last_[index(from)];
    return snapshot;
}

void Order::flag_waited(Pipe to, const Snapshot& snapshot) {
    auto& known = known_[index(to)];
    for (size_t other = 0; other < kPipes; ++other) {
        known[other] = std::max(known[other], snapshot.done[other]);
    }
}

void Order::barrier(Pipe pipe) {
    known_[index(pipe)][index(pipe)] = last_[index(pipe)];
}

void Order::barrier_all() {
    for (auto& known : known_) {
        known = last_;
    }
}

Order::Issued Order::issued(uint32_t id) const {
    const Issued& found = ring_[id % kRemembered];
    return found.id == id ? found : Issued{id};
}

} // namespace twin
