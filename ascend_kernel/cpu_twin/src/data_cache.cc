#include "data_cache.h"

#include "core.h"
#include "counting.h"

#include <algorithm>
#include <cstring>

namespace twin {

namespace {

// The part of a line that its region has.
std::pair<int64_t, int64_t> part(const Region& region, int64_t line) {
    const int64_t begin = line * DataCache::kLineBytes;
    return {std::max(begin, static_cast<int64_t>(region.own_begin)),
            std::min(begin + DataCache::kLineBytes, static_cast<int64_t>(region.bytes))};
}

} // namespace

DataCache::Line& DataCache::fetch(Core& core, const Key& key) {
    const auto found = lines_.find(key);
    if (found != lines_.end()) {
        return found->second;
    }
    Line& line = lines_[key];
    Region& region = *core.gm.region(key.first);
    const auto [low, high] = part(region, key.second);
    const int64_t at = low - key.second * kLineBytes;
    std::memcpy(line.bytes.data() + at, region.base + low, static_cast<size_t>(high - low));
    if (region.writable()) {
        std::memcpy(line.shadow.data() + at, region.shadow_at(low), static_cast<size_t>(high - low));
    }
    line.seen = line.bytes;
    count_bursts(core.counters.read, low, high - low, 0, 1);
    return line;
}

uint64_t DataCache::load(Core& core, const Instruction& instruction, GmSpan place, uint32_t bytes) {
    const Key key{place.region, place.offset / kLineBytes};
    Line& line = fetch(core, key);
    const size_t at = static_cast<size_t>(place.offset % kLineBytes);
    Region& region = *core.gm.region(place.region);
    if (region.writable() && line.stored == 0 &&
        std::memcmp(line.seen.data() + at, region.base + place.offset, bytes) != 0) {
        core.fault(
            FaultKind::kStaleCacheLine, instruction,
            "loads from a cached line of '" + region.name + "' at " +
                hex(static_cast<uint64_t>(place.offset)) +
                ", which has been written in global memory since; DataCacheCleanAndInvalid must come first");
    }
    if (any_undefined(line.shadow.data() + at, bytes)) {
        core.fault(FaultKind::kUninitialised, instruction,
                   "loads undefined bits from '" + region.name + "' at " +
                       hex(static_cast<uint64_t>(place.offset)) + "; they must be written first");
    }
    uint64_t bits = 0;
    std::memcpy(&bits, line.bytes.data() + at, bytes);
    return bits;
}

void DataCache::store(Core& core, const Instruction& instruction, GmSpan place, uint32_t bytes,
                      uint64_t bits) {
    Line& line = fetch(core, {place.region, place.offset / kLineBytes});
    const size_t at = static_cast<size_t>(place.offset % kLineBytes);
    std::memcpy(line.bytes.data() + at, &bits, bytes);
    std::memset(line.shadow.data() + at, 0, bytes);
    line.stored |= ((uint64_t{1} << bytes) - 1) << at;
    line.site = instruction.site;
}

void DataCache::write_back(Core& core, const Instruction& instruction, const Key& key, Line& line) {
    if (line.stored == 0) {
        return;
    }
    Region& region = *core.gm.region(key.first);
    const auto [low, high] = part(region, key.second);
    const int64_t at = low - key.second * kLineBytes;
    std::memcpy(region.base + low, line.bytes.data() + at, static_cast<size_t>(high - low));
    std::memcpy(region.shadow_at(low), line.shadow.data() + at, static_cast<size_t>(high - low));
    count_bursts(core.counters.written, low, high - low, 0, 1);
    // The line as a whole for races between cores; what the kernel stored of it for the output's coverage.
    core.gm_log.add(core, instruction, {key.first, low, high - low, 0, 1}, GmUse::kLine);
    for (int64_t i = at; i < at + (high - low); ++i) {
        if ((line.stored >> i & 1) != 0) {
            core.gm_log.add(core, instruction, {key.first, key.second * kLineBytes + i, 1, 0, 1},
                            GmUse::kWrite);
        }
    }
    line.stored = 0;
}

void DataCache::clean(Core& core, const Instruction& instruction, GmSpan place) {
    const auto found = lines_.find({place.region, place.offset / kLineBytes});
    if (found != lines_.end()) {
        write_back(core, instruction, found->first, found->second);
        lines_.erase(found);
    }
}

void DataCache::clean_all(Core& core, const Instruction& instruction) {
    for (auto& [key, line] : lines_) {
        write_back(core, instruction, key, line);
    }
    lines_.clear();
}

void DataCache::check_transfer(Core& core, const Instruction& instruction, const Pieces& pieces) {
    for (const auto& [key, line] : lines_) {
        if (line.stored != 0 && overlap(pieces, {key.first, key.second * kLineBytes, kLineBytes, 0, 1})) {
            core.fault(FaultKind::kDirtyCacheLine, instruction,
                       "touches '" + core.gm.region(key.first)->name + "' at " +
                           hex(static_cast<uint64_t>(key.second * kLineBytes)) + ", where SetValue of line " +
                           std::to_string(line.site.line) +
                           " is still in the cache; DataCacheCleanAndInvalid must come first");
            return;
        }
    }
}

void DataCache::finish(Core& core) {
    for (const auto& [key, line] : lines_) {
        if (line.stored != 0) {
            core.fault(FaultKind::kDirtyCacheLine, Op::kSetValue, line.site,
                       "the value stays in the cache when the kernel ends; DataCacheCleanAndInvalid must "
                       "write it to '" +
                           core.gm.region(key.first)->name + "'");
        }
    }
    clean_all(core, {Op::kEnd, Pipe::kS, {}, core.order.issue(Pipe::kS, Op::kEnd, {})});
}

} // namespace twin
