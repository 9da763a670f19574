// A core's memory as SIMT code sees it, over all calls of a kernel: the data cache, the requests of its
// warps, and which thread touched what.
#pragma once

#include "block.h"
#include "core.h"
#include "footprint.h"
#include "line_cache.h"

#include <twin/simt.h>

#include <deque>
#include <string>
#include <vector>

namespace twin::simt {

// An access on its way.
struct Access {
    const void* address;
    uint32_t bytes;
    Use use;
    Path path;
    Op op;
    Site site;
};

class Memory {
public:
    // Before and after the threads of a call run.
    void open(Core& core, Block& block);
    void close();
    Block* block() { return block_; }

    // What all accesses have in common: where they go, and whether they may.
    struct Place {
        enum class Kind : uint8_t { kNone, kGlobal, kUnifiedBuffer, kHost };
        Kind kind = Kind::kNone; // kNone: the access must not happen
        Bytes bytes{};
        uint8_t* data = nullptr;
    };
    Place admit(const Access& access);
    void load(void* value, const Access& access, const Place& place);
    void store(const void* value, const Access& access, const Place& place);
    // What an access does beside moving bytes.
    void note_load(const Access& access, const Place& place);
    void note_store(const Access& access, const Place& place);
    // Before one that the compiled code makes itself.
    void note_plain_load(const Access& access, const Place& place);
    void note_plain_store(const Access& access, const Place& place);

    void invalidate(const void* address, bool entire);
    // `sentence` is called where the fault is new.
    template <class Sentence>
    void fault(FaultKind kind, const Access& access, const Sentence& sentence) {
        const Instruction instruction{access.op, Pipe::kV, access.site, block_->call().id};
        if (!core_->again(kind, instruction)) {
            core_->fault(kind, instruction, "thread " + std::to_string(block_->thread()) + " " + sentence());
        }
    }

private:
    struct Request {
        Site site;
        LineKey key;
        uint32_t lanes = 0; // that take part, a bit each
    };

    Place admit_global(const Access& access, const GmSpan& span);
    Place admit_unified_buffer(const Access& access, uint32_t address);
    void check_race(const Access& access, const Place& place);
    void check_defined(const Access& access, const Place& place);
    std::string name_of(const Place& place) const;
    uint8_t* shadow_of(const Place& place); // a bit a bit, 1: undefined
    const uint8_t* cached(const Access& access, const Place& place);
    void request(Traffic& traffic, const Access& access, const Bytes& bytes);

    Core* core_ = nullptr;
    Block* block_ = nullptr;
    LineCache cache_;
    Footprint footprint_;
    std::vector<std::deque<Request>> requests_; // a warp's that may get more lanes
};

// What the calling thread runs SIMT code on, and the addresses that such code may use: quick to look at, as
// the compiled code asks before every access, most of which are of local variables.
struct Present {
    Memory* memory = nullptr; // null: no SIMT code runs
    uintptr_t global_begin = 0, global_bytes = 0;
    uintptr_t buffer_begin = 0, buffer_bytes = 0;

    bool global(uintptr_t address) const { return address - global_begin < global_bytes; }
    bool buffer(uintptr_t address) const { return address - buffer_begin < buffer_bytes; }
};
inline thread_local Present g_present;

// The core's that the calling thread runs.
Memory& memory();

} // namespace twin::simt
