// A core's accesses to the global memory that a kernel may write: for order among its own pipes while it
// runs, and for races between cores afterwards.
#pragma once

#include <twin/instruction.h>
#include <twin/op.h>

#include <cstdint>
#include <vector>

namespace twin {

struct Core;
struct Instruction;

// `count` pieces of `bytes` each, `step` apart.
struct Pieces {
    int32_t region = -1;
    int64_t begin = 0;
    int64_t bytes = 0;
    int64_t step = 0;
    uint32_t count = 1;

    int64_t at(uint32_t i) const { return begin + step * static_cast<int64_t>(i); }
    int64_t end() const { return at(count - 1) + bytes; }
};

bool overlap(const Pieces& a, const Pieces& b);

// kSum: an atomic sum of floats, which its order changes; kAtomic: an atomic that order does not change;
// kLine: a cache line of scalar stores, written back.
enum class GmUse : uint8_t { kRead, kWrite, kSum, kAtomic, kLine };

struct GmAccess {
    Pieces pieces;
    GmUse use;
    Op op;
    Site site;
    uint32_t epoch; // SyncAll's passed
};

class GmLog {
public:
    // Order against the accesses before; then one of them itself.
    void add(Core& core, const Instruction& instruction, const Pieces& pieces, GmUse use);
    void next_epoch() { ++epoch_; }
    const std::vector<GmAccess>& all() const { return accesses_; }

private:
    struct Open { // an access that a transfer may still run into
        Pieces pieces;
        Pipe pipe;
        uint32_t id;
        bool writes;
        int line;
        Op op;
    };

    void check(Core& core, const Instruction& instruction, const Pieces& pieces, bool writes,
               const Open& open);

    std::vector<GmAccess> accesses_;
    std::vector<Open> open_;
    std::vector<Open> settled_; // among transfers; the scalar unit may still run into them
    uint32_t epoch_ = 0;
};

} // namespace twin
