// Which thread of a block touched which byte since the last barrier: how races within a block are found. What
// a call has touched in all goes to the core's log afterwards, for races between cores.
#pragma once

#include <twin/instruction.h>
#include <twin/op.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace twin {
struct Core;
struct Instruction;
} // namespace twin

namespace twin::simt {

enum class Use : uint8_t { kRead, kWrite, kAtomic };

// Bytes of a region of global memory, or of the unified buffer.
struct Bytes {
    static constexpr int32_t kUnifiedBuffer = -2;
    int32_t region;
    int64_t begin;
    uint32_t count;
};

// An access that another thread's has met.
struct Met {
    bool found = false;
    bool several = false; // more than one thread
    uint32_t thread = 0;
    Use use = Use::kRead;
    Site site;
};

class Footprint {
public:
    // Notes the access, and says which earlier one of another thread it must not meet. `phase` counts
    // barriers.
    Met touch(const Bytes& bytes, Use use, uint32_t thread, uint32_t phase, Site site);
    // Everything touched in global memory goes to the core's log; empty afterwards.
    void flush(Core& core, const Instruction& call);

private:
    static constexpr int64_t kPageBytes = 4096;

    // Packed: the phase above, then one bit for an atomic, then the thread's number plus 1 (0: nobody).
    struct Mark {
        uint32_t who = 0;
        uint16_t site = 0;
    };
    struct Page {
        std::array<Mark, kPageBytes> written{};
        std::array<Mark, kPageBytes> read{};
    };
    using Key = std::pair<int32_t, int64_t>; // region, page

    Page& page(int32_t region, int64_t at);
    uint16_t number_of(Site site);
    Met met(const Mark& mark, Use use) const;
    void flush_uses(Core& core, const Instruction& call, bool writes) const;

    std::map<Key, std::unique_ptr<Page>> pages_;
    std::vector<Site> sites_;
    Key last_key_{-3, 0};
    Page* last_ = nullptr;
};

} // namespace twin::simt
