#include "races.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace twin {

namespace {

struct Interval {
    int64_t begin, end;
    int core;
    GmUse use;
    const GmAccess* access;
};

const char* verb(GmUse use) {
    switch (use) {
    case GmUse::kRead: return "reads";
    case GmUse::kSum:
    case GmUse::kAtomic: return "adds to";
    default: return "writes";
    }
}

bool is_atomic(GmUse use) {
    return use == GmUse::kSum || use == GmUse::kAtomic;
}

bool conflict(const Interval& a, const Interval& b) {
    const bool both_read = a.use == GmUse::kRead && b.use == GmUse::kRead;
    const bool both_add =
        is_atomic(a.use) && is_atomic(b.use) && (a.use != GmUse::kSum || b.use != GmUse::kSum);
    // Reads are of single values; a line that is written back around them does not change them.
    const bool line_around_read =
        (a.use == GmUse::kLine && b.use == GmUse::kRead) || (a.use == GmUse::kRead && b.use == GmUse::kLine);
    return a.core != b.core && !both_read && !both_add && !line_around_read;
}

FaultKind kind_of(const Interval& a, const Interval& b) {
    if (a.use == GmUse::kSum && b.use == GmUse::kSum) {
        return FaultKind::kAtomicOrder;
    }
    const bool line = a.use == GmUse::kLine || b.use == GmUse::kLine;
    return line && !is_atomic(a.use) && !is_atomic(b.use) ? FaultKind::kSharedCacheLine
                                                          : FaultKind::kCoreRace;
}

const char* consequence(FaultKind kind) {
    switch (kind) {
    case FaultKind::kAtomicOrder:
        return " in an order that timing decides, and floats are rounded by it; a core must own what it adds "
               "up";
    case FaultKind::kSharedCacheLine:
        return ", in one cache line of 64 B, and lose each other's stores; a line must belong to one core";
    default: return " without SyncAll between them; one must come after the other";
    }
}

class Races {
public:
    Races(Gm& gm, std::vector<Fault>& faults) : gm_(gm), faults_(faults) {}

    // Intervals of one region between two SyncAll's. Those that are open when one begins overlap it.
    void find(int region, std::vector<Interval>& intervals) {
        std::sort(intervals.begin(), intervals.end(),
                  [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
        std::vector<const Interval*> open;
        for (const Interval& now : intervals) {
            open.erase(std::remove_if(open.begin(), open.end(),
                                      [&](const Interval* other) { return other->end <= now.begin; }),
                       open.end());
            for (const Interval* other : open) {
                if (conflict(*other, now)) {
                    report(region, *other, now);
                }
            }
            open.push_back(&now);
        }
    }

private:
    void report(int region, const Interval& a, const Interval& b) {
        const FaultKind kind = kind_of(a, b);
        const auto key = std::make_tuple(kind, a.access->site.line, b.access->site.line, region);
        const auto found = seen_.find(key);
        if (found != seen_.end()) {
            ++faults_[found->second].count;
            return;
        }
        seen_[key] = faults_.size();
        const auto who = [](const Interval& i) {
            return "core " + std::to_string(i.core) + " (" + name_of(i.access->op) + ", line " +
                   std::to_string(i.access->site.line) + ") " + verb(i.use);
        };
        const std::string where = "bytes " + range(std::max(a.begin, b.begin), std::min(a.end, b.end)) +
                                  " of '" + gm_.region(region)->name + "'";
        faults_.push_back({kind, b.core, who(a) + " and " + who(b) + " " + where + consequence(kind),
                           b.access->site.file, b.access->site.line, 1});
    }

    Gm& gm_;
    std::vector<Fault>& faults_;
    std::map<std::tuple<FaultKind, int, int, int>, size_t> seen_;
};

} // namespace

void find_races(const std::vector<std::unique_ptr<Core>>& cores, Gm& gm, std::vector<Fault>& faults) {
    std::map<std::pair<int, uint32_t>, std::vector<Interval>> places; // region, epoch
    for (const auto& core : cores) {
        for (const GmAccess& access : core->gm_log.all()) {
            std::vector<Interval>& intervals = places[{access.pieces.region, access.epoch}];
            for (uint32_t i = 0; i < access.pieces.count; ++i) {
                const int64_t begin = access.pieces.at(i);
                intervals.push_back({begin, begin + access.pieces.bytes, core->index, access.use, &access});
            }
        }
    }
    Races races(gm, faults);
    for (auto& [place, intervals] : places) {
        if (cores.size() > 1) {
            races.find(place.first, intervals);
        }
    }
}

void find_unwritten(Gm& gm, const std::vector<std::unique_ptr<Core>>& cores, std::vector<Fault>& faults) {
    for (size_t r = 0; r < gm.regions().size(); ++r) {
        const Region& region = gm.regions()[r];
        if (region.access != Access::kWrite) {
            continue;
        }
        std::vector<std::pair<int64_t, int64_t>> written;
        for (const auto& core : cores) {
            for (const GmAccess& access : core->gm_log.all()) {
                if (access.pieces.region != static_cast<int32_t>(r) || access.use == GmUse::kRead ||
                    access.use == GmUse::kLine) {
                    continue;
                }
                for (uint32_t i = 0; i < access.pieces.count; ++i) {
                    written.emplace_back(access.pieces.at(i), access.pieces.at(i) + access.pieces.bytes);
                }
            }
        }
        std::sort(written.begin(), written.end());
        int64_t done = 0;
        for (const auto& [begin, end] : written) {
            if (begin > done) {
                break;
            }
            done = std::max(done, end);
        }
        if (done < static_cast<int64_t>(region.bytes)) {
            faults.push_back({FaultKind::kOutputNotWritten, -1,
                              "byte " + std::to_string(done) + " of '" + region.name +
                                  "' is written by no core; an "
                                  "output's " +
                                  std::to_string(region.bytes) + " B must all be written",
                              "", 0, 1});
        }
    }
}

} // namespace twin
