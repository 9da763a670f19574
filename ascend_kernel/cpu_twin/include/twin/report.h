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

struct Counters {
    Traffic read;    // global memory to the core, whole cache lines of scalar loads included
    Traffic written; // the core to global memory, whole cache lines of scalar stores included
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
