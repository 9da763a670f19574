#include "footprint.h"

#include "core.h"

#include <algorithm>

namespace twin::simt {

namespace {

constexpr uint32_t kThreadBits = 12; // 2048 threads, nobody, several
constexpr uint32_t kThreadMask = (1u << kThreadBits) - 1;
constexpr uint32_t kSeveral = kThreadMask;
constexpr uint32_t kAtomicBit = 1u << kThreadBits;
constexpr uint32_t kPhaseShift = kThreadBits + 1;

uint32_t pack(uint32_t thread, uint32_t phase, bool atomic) {
    return phase << kPhaseShift | (atomic ? kAtomicBit : 0) | (thread + 1);
}

bool same_phase(uint32_t who, uint32_t phase) {
    return (who & kThreadMask) != 0 && who >> kPhaseShift == (phase & (~0u >> kPhaseShift));
}

bool other_thread(uint32_t who, uint32_t thread) {
    return (who & kThreadMask) != thread + 1;
}

} // namespace

Footprint::Page& Footprint::page(int32_t region, int64_t at) {
    const Key key{region, at / kPageBytes};
    if (key != last_key_) {
        std::unique_ptr<Page>& found = pages_[key];
        if (found == nullptr) {
            found = std::make_unique<Page>();
        }
        last_key_ = key;
        last_ = found.get();
    }
    return *last_;
}

// A kernel has few lines that access memory.
uint16_t Footprint::number_of(Site site) {
    for (size_t i = 0; i < sites_.size(); ++i) {
        if (sites_[i].line == site.line && sites_[i].file == site.file) {
            return static_cast<uint16_t>(i);
        }
    }
    sites_.push_back(site);
    return static_cast<uint16_t>(sites_.size() - 1);
}

Met Footprint::met(const Mark& mark, Use use) const {
    const uint32_t thread = mark.who & kThreadMask;
    return {true, thread == kSeveral, thread - 1, use, sites_[mark.site]};
}

Met Footprint::touch(const Bytes& bytes, Use use, uint32_t thread, uint32_t phase, Site site) {
    const uint16_t number = number_of(site);
    const bool atomic = use == Use::kAtomic;
    Met first;
    for (int64_t at = bytes.begin; at < bytes.begin + bytes.count; ++at) {
        Page& here = page(bytes.region, at);
        Mark& written = here.written[static_cast<size_t>(at % kPageBytes)];
        Mark& read = here.read[static_cast<size_t>(at % kPageBytes)];
        const bool both_atomic = atomic && (written.who & kAtomicBit) != 0;
        if (!first.found && same_phase(written.who, phase) && other_thread(written.who, thread) &&
            !both_atomic) {
            first = met(written, (written.who & kAtomicBit) != 0 ? Use::kAtomic : Use::kWrite);
        }
        if (use == Use::kRead) {
            const bool shared = same_phase(read.who, phase) && other_thread(read.who, thread);
            read.who = pack(shared ? kSeveral - 1 : thread, phase, false);
            read.site = number;
            continue;
        }
        if (!first.found && same_phase(read.who, phase) && other_thread(read.who, thread)) {
            first = met(read, Use::kRead);
        }
        const bool shared =
            both_atomic && same_phase(written.who, phase) && other_thread(written.who, thread);
        written.who = pack(shared ? kSeveral - 1 : thread, phase, atomic);
        written.site = number;
    }
    return first;
}

// Consecutive bytes of one source line are one access.
void Footprint::flush_uses(Core& core, const Instruction& call, bool writes) const {
    struct Run {
        int32_t region = -1;
        int64_t begin = 0, end = 0;
        uint16_t site = 0;
        bool atomic = false;
    } run;
    const auto close = [&] {
        if (run.region >= 0 && run.end > run.begin) {
            const Op op = !writes ? Op::kThreadLoad : run.atomic ? Op::kThreadAtomic : Op::kThreadStore;
            const Instruction instruction{op, call.pipe, sites_[run.site], call.id};
            const GmUse use = !writes ? GmUse::kRead : run.atomic ? GmUse::kAtomic : GmUse::kWrite;
            core.gm_log.add(core, instruction, {run.region, run.begin, run.end - run.begin, 0, 1}, use);
        }
    };
    for (const auto& [key, page] : pages_) {
        const auto& marks = writes ? page->written : page->read;
        for (int64_t i = 0; i < kPageBytes; ++i) {
            const Mark& mark = marks[static_cast<size_t>(i)];
            if ((mark.who & kThreadMask) == 0) {
                continue;
            }
            const int64_t at = key.second * kPageBytes + i;
            const bool atomic = (mark.who & kAtomicBit) != 0;
            if (run.region != key.first || run.end != at || run.site != mark.site || run.atomic != atomic) {
                close();
                run = {key.first, at, at, mark.site, atomic};
            }
            run.end = at + 1;
        }
    }
    close();
}

void Footprint::flush(Core& core, const Instruction& call) {
    flush_uses(core, call, true);
    flush_uses(core, call, false);
    pages_.clear();
    sites_.clear();
    last_key_ = {-3, 0};
    last_ = nullptr;
}

} // namespace twin::simt
