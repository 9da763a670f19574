// Plans a call for a product and runs the kernel on the CPU twin.
#pragma once

#include "case.h"

#include <twin/run.h>

#include <cstdint>
#include <plan.h>
#include <string>
#include <vector>

namespace kernel_test {

struct Product {
    std::string soc_version;
    uint32_t vector_cores;
};

struct Outcome {
    maxpoolgrad::KernelPlan plan;
    twin::Report report;
    std::vector<uint8_t> out_grad;
    int64_t wrong = 0;       // elements that differ from the specification
    int64_t first_wrong = 0; // the first of them
};

// `cores` blocks at most.
Outcome run_on_twin(const Case& given, uint32_t cores);

std::string describe(const Case& given);
std::string describe(const maxpoolgrad::KernelPlan& plan);

} // namespace kernel_test
