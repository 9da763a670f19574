#include "memory.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace twin::simt {

namespace {

// The unified buffer of 256 KB keeps 8 KB for the system; SIMT code's data cache takes what the kernel
// leaves.
constexpr uint32_t kMaxCacheBytes = 128 * 1024;
constexpr uint32_t kMinCacheBytes = 32 * 1024;

constexpr size_t kOpenRequests = 2 * kWarpThreads; // of a warp

const char* verb(Use use) {
    return use == Use::kRead ? "reads" : use == Use::kWrite ? "writes" : "updates";
}

std::string must_lie_on(uint32_t bytes) {
    return "; a value must lie on a multiple of its " + std::to_string(bytes) + " B";
}

} // namespace

// A core runs on a system thread of its own.
Memory& memory() {
    thread_local Memory of_this_core;
    return of_this_core;
}

void Memory::open(Core& core, Block& block) {
    core_ = &core;
    block_ = &block;
    const uint32_t left = core.ub.size() - std::min(core.ub.size(), core.buffers.top);
    if (left < kMinCacheBytes) {
        core.fault(FaultKind::kDataCacheSize, block.call(),
                   "the kernel's buffers take " + std::to_string(core.buffers.top) + " of " +
                       std::to_string(core.ub.size()) +
                       " B of the unified buffer; SIMT code needs at least " +
                       std::to_string(kMinCacheBytes) + " B of it as its data cache");
    }
    cache_.resize(std::clamp(left, kMinCacheBytes, kMaxCacheBytes) / static_cast<uint32_t>(kLineBytes));
    requests_.assign(kMaxThreads / kWarpThreads, {});
    g_present = {this, reinterpret_cast<uintptr_t>(core.gm.reserved()), core.gm.reserved_bytes(),
                 reinterpret_cast<uintptr_t>(core.ub.data()), core.ub.size()};
}

void Memory::close() {
    footprint_.flush(*core_, block_->call());
    block_ = nullptr;
    g_present = {};
}

Memory::Place Memory::admit(const Access& access) {
    const auto address = reinterpret_cast<uintptr_t>(access.address);
    if (g_present.global(address)) {
        return admit_global(access, core_->gm.place_of(access.address));
    }
    if (g_present.buffer(address)) {
        return admit_unified_buffer(access, static_cast<uint32_t>(address - g_present.buffer_begin));
    }
    Place host;
    host.kind = Place::Kind::kHost;
    return host;
}

Memory::Place Memory::admit_global(const Access& access, const GmSpan& span) {
    Region& region = *core_->gm.region(span.region);
    const int64_t end = span.offset + access.bytes;
    const auto what = [&] {
        return std::string(verb(access.use)) + " bytes " + range(span.offset, end) + " of '" + region.name +
               "'";
    };
    if (span.offset < 0 || end > static_cast<int64_t>(region.bytes)) {
        fault(region.is_workspace ? FaultKind::kWorkspaceTooShort : FaultKind::kGmOutOfBounds, access,
              [&] { return what() + ", which has " + range(0, static_cast<int64_t>(region.bytes)); });
        return {};
    }
    if (access.use != Use::kRead && !region.writable()) {
        fault(FaultKind::kReadOnly, access,
              [&] { return what() + ", which is an input; only outputs and the workspace may be written"; });
        return {};
    }
    if (span.offset < static_cast<int64_t>(region.own_begin)) {
        fault(FaultKind::kSystemWorkspace, access, [&] {
            return what() + ", whose first " + std::to_string(region.own_begin) +
                   " B are the system's; the kernel's part begins where GetUserWorkspace says";
        });
        return {};
    }
    if (span.offset % access.bytes != 0) {
        fault(FaultKind::kGmUnaligned, access, [&] { return what() + must_lie_on(access.bytes); });
        return {};
    }
    return {Place::Kind::kGlobal, {span.region, span.offset, access.bytes}, region.base + span.offset};
}

Memory::Place Memory::admit_unified_buffer(const Access& access, uint32_t address) {
    const auto what = [&] {
        return std::string(verb(access.use)) + " bytes " + range(address, address + access.bytes) +
               " of the unified buffer";
    };
    const int owner = core_->ub.owner(address);
    if (owner < 0 || owner != core_->ub.owner(address + access.bytes - 1)) {
        fault(FaultKind::kUbOutOfBounds, access, [&] {
            return what() +
                   ", which no buffer of the kernel's TPipe holds; beyond the buffers lies the data cache";
        });
        return {};
    }
    if (address % access.bytes != 0) {
        fault(FaultKind::kUbUnaligned, access, [&] { return what() + must_lie_on(access.bytes); });
        return {};
    }
    return {Place::Kind::kUnifiedBuffer,
            {Bytes::kUnifiedBuffer, address, access.bytes},
            core_->ub.data() + address};
}

std::string Memory::name_of(const Place& place) const {
    return place.kind == Place::Kind::kGlobal ? "'" + core_->gm.region(place.bytes.region)->name + "'"
                                              : "the unified buffer";
}

uint8_t* Memory::shadow_of(const Place& place) {
    return place.kind == Place::Kind::kGlobal
               ? core_->gm.region(place.bytes.region)->shadow_at(place.bytes.begin)
               : core_->ub.shadow() + place.bytes.begin;
}

void Memory::check_race(const Access& access, const Place& place) {
    const Met met = footprint_.touch(place.bytes, access.use, block_->thread(), block_->phase(), access.site);
    if (!met.found) {
        return;
    }
    fault(FaultKind::kThreadRace, access, [&] {
        return std::string(verb(access.use)) + " bytes " +
               range(place.bytes.begin, place.bytes.begin + place.bytes.count) + " of " + name_of(place) +
               ", which " +
               (met.several ? "other threads of its block" : "thread " + std::to_string(met.thread)) + " " +
               verb(met.use) + " (line " + std::to_string(met.site.line) +
               ") with no asc_syncthreads between them";
    });
}

void Memory::check_defined(const Access& access, const Place& place) {
    if (any_undefined(shadow_of(place), place.bytes.count)) {
        fault(FaultKind::kUninitialised, access, [&] {
            return "reads undefined bits at " + hex(static_cast<uint64_t>(place.bytes.begin)) + " of " +
                   name_of(place) + "; they must be written first";
        });
    }
}

// The threads of a warp that access one line by one instruction make one request of 128 B. A thread that
// comes again is in the next turn of its warp's loop.
void Memory::request(Traffic& traffic, const Access& access, const Bytes& bytes) {
    std::deque<Request>& open = requests_[block_->thread() / kWarpThreads];
    const LineKey key{bytes.region, bytes.begin / kLineBytes};
    const uint32_t lane = 1u << block_->thread() % kWarpThreads;
    for (auto other = open.rbegin(); other != open.rend(); ++other) {
        if (other->site.line == access.site.line && other->site.file == access.site.file &&
            other->key.region == key.region && other->key.line == key.line) {
            if ((other->lanes & lane) == 0) {
                other->lanes |= lane;
                return;
            }
            break;
        }
    }
    open.push_back({access.site, key, lane});
    if (open.size() > kOpenRequests) {
        open.pop_front();
    }
    traffic.bytes += kLineBytes;
    ++traffic.bursts;
    ++traffic.burst_sizes[7];
}

// The access's bytes in the data cache; loaded from global memory where they are not there yet.
const uint8_t* Memory::cached(const Access& access, const Place& place) {
    const Region& region = *core_->gm.region(place.bytes.region);
    const LineKey key{place.bytes.region, place.bytes.begin / kLineBytes};
    const auto in_line = static_cast<size_t>(place.bytes.begin % kLineBytes);
    if (LineCache::Line* line = cache_.find(key)) {
        ++core_->counters.simt.cache_hits;
        const uint8_t* bytes = line->bytes.data() + in_line;
        if (region.writable() && std::memcmp(bytes, place.data, access.bytes) != 0) {
            fault(FaultKind::kStaleCacheLine, access, [&] {
                return "reads " + name_of(place) + " at " + hex(static_cast<uint64_t>(place.bytes.begin)) +
                       " from the data cache, but global memory has been written since; asc_ldcg, volatile "
                       "or "
                       "asc_dcci_single gets the new value";
            });
        }
        return bytes;
    }
    ++core_->counters.simt.cache_misses;
    core_->counters.read.bytes += kLineBytes;
    ++core_->counters.read.bursts;
    ++core_->counters.read.burst_sizes[7];
    LineCache::Line& line = cache_.add(key);
    const int64_t begin = key.line * kLineBytes;
    const int64_t count = std::min(kLineBytes, static_cast<int64_t>(region.bytes) - begin);
    std::memcpy(line.bytes.data(), region.base + begin, static_cast<size_t>(count));
    return line.bytes.data() + in_line;
}

void Memory::load(void* value, const Access& access, const Place& place) {
    note_load(access, place);
    const bool through = place.kind == Place::Kind::kGlobal && access.path == Path::kCached;
    std::memcpy(value, through ? cached(access, place) : place.data, access.bytes);
}

void Memory::note_load(const Access& access, const Place& place) {
    SimtCounters& counters = core_->counters.simt;
    ++counters.loads;
    counters.load_bytes += access.bytes;
    if (place.kind == Place::Kind::kUnifiedBuffer) {
        core_->ub.read(*core_, block_->call(), static_cast<uint32_t>(place.bytes.begin));
    } else if (access.path == Path::kPast) {
        request(core_->counters.read, access, place.bytes);
    }
    if (place.kind == Place::Kind::kUnifiedBuffer || core_->gm.region(place.bytes.region)->writable()) {
        check_race(access, place);
        check_defined(access, place);
    }
}

void Memory::store(const void* value, const Access& access, const Place& place) {
    note_store(access, place);
    std::memcpy(place.data, value, access.bytes);
    if (place.kind == Place::Kind::kGlobal && access.path == Path::kCached) {
        const LineKey key{place.bytes.region, place.bytes.begin / kLineBytes};
        if (LineCache::Line* line = cache_.find(key)) {
            std::memcpy(line->bytes.data() + place.bytes.begin % kLineBytes, value, access.bytes);
        }
    }
}

void Memory::note_store(const Access& access, const Place& place) {
    SimtCounters& counters = core_->counters.simt;
    ++counters.stores;
    counters.store_bytes += access.bytes;
    check_race(access, place);
    std::memset(shadow_of(place), 0, place.bytes.count);
    if (place.kind == Place::Kind::kUnifiedBuffer) {
        core_->ub.write(*core_, block_->call(), static_cast<uint32_t>(place.bytes.begin));
    } else {
        request(core_->counters.written, access, place.bytes);
    }
}

// The value comes from global memory even where the device would find an old one in its cache: a fault says
// so.
void Memory::note_plain_load(const Access& access, const Place& place) {
    note_load(access, place);
    if (place.kind == Place::Kind::kGlobal && access.path == Path::kCached) {
        cached(access, place);
    }
    block_->count_load();
}

void Memory::note_plain_store(const Access& access, const Place& place) {
    note_store(access, place);
    if (place.kind == Place::Kind::kGlobal && access.path == Path::kCached) {
        cache_.drop({place.bytes.region, place.bytes.begin / kLineBytes});
    }
    block_->end_turn();
}

void Memory::invalidate(const void* address, bool entire) {
    const GmSpan span = core_->gm.place_of(address);
    if (entire) {
        cache_.drop_all();
    } else if (span.region >= 0 && span.offset >= 0) {
        cache_.drop({span.region, span.offset / kLineBytes});
    }
}

} // namespace twin::simt
