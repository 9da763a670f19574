// The kernel of A2 and A3 against the specification, on the CPU twin.
//
//   kernel_test random SEED FIRST COUNT CORES               random cases: differences and faults
//   kernel_test measure FORMAT DTYPE N C H W K S P CORES    one shape, square windows: what it costs, as JSON
#include "launch.h"

#include <algorithm>
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

maxpoolgrad::Axis axis(int64_t input, int64_t kernel, int64_t stride, int64_t pad) {
    return {input, (input + 2 * pad - kernel) / stride + 1, kernel, stride, pad};
}

// The busiest core's share over the mean.
template <class Of>
double imbalance(const twin::Report& report, Of of) {
    double sum = 0, most = 0;
    for (const twin::Counters& core : report.cores) {
        sum += of(core);
        most = std::max(most, of(core));
    }
    return most * static_cast<double>(report.cores.size()) / sum;
}

int measure(char** argv) {
    const auto number = [&](int i) { return std::strtoll(argv[i], nullptr, 10); };
    maxpoolgrad::Pooling pooling;
    pooling.format =
        std::strcmp(argv[0], "NHWC") == 0 ? maxpoolgrad::DataFormat::kNhwc : maxpoolgrad::DataFormat::kNchw;
    const auto dtype =
        std::strcmp(argv[1], "float16") == 0 ? maxpoolgrad::Dtype::kFloat16 : maxpoolgrad::Dtype::kFloat32;
    pooling.batch = number(2);
    pooling.channels = number(3);
    pooling.h = axis(number(4), number(6), number(7), number(8));
    pooling.w = axis(number(5), number(6), number(7), number(8));
    Rng rng(1);
    Values values;
    values.levels = 1000;
    const Case given = make_case("measure", pooling, dtype, values, rng);
    const Outcome outcome = run_on_twin(given, static_cast<uint32_t>(number(9)));
    const twin::Counters& total = outcome.report.total;
    const double bytes = static_cast<double>(total.read.bytes + total.written.bytes);
    const double least = static_cast<double>(2 * given.x.size() + 2 * given.y.size());
    const double elements = static_cast<double>(elements_of_input(pooling));
    std::cout << "{\"plan\": \"" << describe(outcome.plan) << "\", \"wrong\": " << outcome.wrong
              << ", \"faults\": " << outcome.report.faults.size() << ", \"traffic\": " << bytes / least
              << ", \"mean_burst\": " << bytes / static_cast<double>(total.read.bursts + total.written.bursts)
              << ", \"passes\": " << static_cast<double>(total.vector_repeats) * 128 / elements
              << ", \"scalar_ops\": " << total.scalar_ops
              << ", \"vector_instructions\": " << total.vector_instructions << ", \"imbalance\": "
              << imbalance(outcome.report,
                           [](const twin::Counters& core) { return double(core.vector_repeats); })
              << ", \"imbalance_bytes\": "
              << imbalance(
                     outcome.report,
                     [](const twin::Counters& core) { return double(core.read.bytes + core.written.bytes); })
              << ", \"repeats\": {";
    const char* comma = "";
    for (const auto& [name, count] : total.instructions) {
        if (count.repeats > 0) {
            std::cout << comma << "\"" << name
                      << "\": " << static_cast<double>(count.repeats) * 128 / elements;
            comma = ", ";
        }
    }
    std::cout << "}}\n";
    return outcome.wrong == 0 && outcome.report.faults.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 6 && std::strcmp(argv[1], "random") == 0) {
        const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
        return random_cases(number(2), number(3), number(4), static_cast<uint32_t>(number(5)));
    }
    if (argc == 12 && std::strcmp(argv[1], "measure") == 0) {
        return measure(argv + 2);
    }
    std::cerr
        << "usage: kernel_test random SEED FIRST COUNT CORES | measure FORMAT DTYPE N C H W K S P CORES\n";
    return 2;
}
