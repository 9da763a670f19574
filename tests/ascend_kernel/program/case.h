// Random legal calls of the operator, and calls of given shapes: geometry, inputs, and what the scalar
// specification makes of them.
#pragma once

#include <maxpoolgrad/attributes.h>
#include <maxpoolgrad/geometry.h>
#include <maxpoolgrad/names.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace kernel_test {

struct Case {
    std::string name;
    maxpoolgrad::Pooling pooling;
    maxpoolgrad::Dtype dtype = maxpoolgrad::Dtype::kFloat16;
    std::vector<uint8_t> x, y, grad;
    std::vector<uint8_t> expected; // out_grad by the specification
};

// What inputs hold.
struct Values {
    int levels = 9;             // different numbers in x: few of them make many ties
    double special = 0.0;       // share of NaN, infinities and zeros with a sign
    double other_maximum = 0.0; // share of orig_output that is not its window's maximum
};

using Rng = std::mt19937_64;

Case make_case(const std::string& name, const maxpoolgrad::Pooling& pooling, maxpoolgrad::Dtype dtype,
               const Values& values, Rng& rng);

// Case number `index` depends on (seed, index) alone.
Case random_case(uint64_t seed, uint64_t index);
maxpoolgrad::Pooling random_pooling(Rng& rng);

int64_t elements_of_input(const maxpoolgrad::Pooling& pooling);
int64_t elements_of_output(const maxpoolgrad::Pooling& pooling);

} // namespace kernel_test
