// The faults of one core: each kind once a source line, with how often it came.
#pragma once

#include <twin/faults.h>
#include <twin/instruction.h>

#include <string>
#include <vector>

namespace twin {

class FaultLog {
public:
    // True where this kind has come from this line before, and is counted: no sentence is needed then.
    bool counted_again(FaultKind kind, Site site);
    void add(FaultKind kind, int core, Site site, std::string sentence);

    const std::vector<Fault>& all() const { return faults_; }

private:
    std::vector<Fault> faults_;
};

// "0x1f40"
std::string hex(uint64_t value);
// "[0x40, 0x60)"
std::string range(int64_t begin, int64_t end);

} // namespace twin
