// What a run of the twin hands back: the faults, and the counts that a kernel is measured by.
#pragma once

#include "faults.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace twin {

// A burst is a run of consecutive bytes of global memory that one transfer moves: blocks without a gap
// between them are one burst. burst_sizes[i] counts the bursts of 2^i to 2^(i+1) - 1 bytes.
struct Traffic {
    uint64_t bytes = 0;
    uint64_t bursts = 0;
    uint64_t unaligned_bursts = 0; // that do not begin on 512 B
    uint64_t transfers = 0;        // instructions
    std::array<uint64_t, 32> burst_sizes{};
};

struct InstructionCount {
    uint64_t instructions = 0;
    uint64_t repeats = 0; // of 256 B; 0 for what is no vector instruction
};

// What the threads of SIMT code did; the accesses of the unified buffer among them.
struct SimtCounters {
    uint64_t calls = 0; // of asc_vf_call
    uint64_t threads = 0;
    uint64_t loads = 0;
    uint64_t load_bytes = 0;
    uint64_t stores = 0;
    uint64_t store_bytes = 0;
    uint64_t cache_hits = 0; // loads through the data cache
    uint64_t cache_misses = 0;
};

struct Counters {
    // Scalar accesses count whole cache lines of 64 B. SIMT code moves requests of 128 B: a line that its
    // data cache misses, or the line that threads of one warp store to by one instruction.
    Traffic read;    // global memory to the core
    Traffic written; // the core to global memory
    SimtCounters simt;
    uint64_t vector_instructions = 0;
    uint64_t vector_repeats = 0; // of 256 B; a TransDataTo5HD repeat of 512 B counts as two
    uint64_t scalar_ops = 0;     // GetValue and SetValue, in the unified buffer and in global memory
    uint64_t sync_alls = 0;
    std::map<std::string, InstructionCount> instructions; // by name

    void add(const Counters& other);
};

struct Report {
    std::vector<Fault> faults;
    Counters total;
    std::vector<Counters> cores; // by block index

    bool has(FaultKind kind) const;
};

} // namespace twin
