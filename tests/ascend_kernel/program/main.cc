// The kernel of A2 and A3 against the specification, on the CPU twin.
//
//   kernel_test random SEED FIRST COUNT CORES   random cases: differences and faults
#include "launch.h"

#include <cstdlib>
#include <cstring>
#include <iostream>

using namespace kernel_test;

namespace {

// Says what is wrong, if anything.
bool report(const Case& given, const Outcome& outcome) {
    if (outcome.wrong == 0 && outcome.report.faults.empty()) {
        return true;
    }
    std::cout << describe(given) << "\n  " << describe(outcome.plan) << "\n  " << outcome.wrong
              << " elements differ, the first is number " << outcome.first_wrong << "\n";
    for (const twin::Fault& fault : outcome.report.faults) {
        std::cout << "  " << twin::name_of(fault.kind) << ": " << fault.sentence << " (" << fault.file << ":"
                  << fault.line << ", " << fault.count << " times)\n";
    }
    return false;
}

int random_cases(uint64_t seed, uint64_t first, uint64_t count, uint32_t cores) {
    uint64_t failed = 0;
    for (uint64_t index = first; index < first + count; ++index) {
        const Case given = random_case(seed, index);
        failed += report(given, run_on_twin(given, cores)) ? 0 : 1;
    }
    std::cout << count << " cases, " << failed << " failed\n";
    return failed == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 6 && std::strcmp(argv[1], "random") == 0) {
        const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
        return random_cases(number(2), number(3), number(4), static_cast<uint32_t>(number(5)));
    }
    std::cerr << "usage: kernel_test random SEED FIRST COUNT CORES\n";
    return 2;
}
