#include "case.h"

#include "half.h"

#include <maxpoolgrad/kernel.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace kernel_test {

using maxpoolgrad::Axis;
using maxpoolgrad::DataFormat;
using maxpoolgrad::Dtype;
using maxpoolgrad::Half;
using maxpoolgrad::PaddingMode;
using maxpoolgrad::Pooling;
using maxpoolgrad::Rounding;
using maxpoolgrad::Window;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

int64_t pick(Rng& rng, int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(rng);
}
bool chance(Rng& rng, double probability) {
    return std::uniform_real_distribution<double>()(rng) < probability;
}
template <size_t N>
int64_t one_of(Rng& rng, const int64_t (&choices)[N]) {
    return choices[pick(rng, 0, N - 1)];
}

template <class T>
std::vector<uint8_t> bytes_of(const std::vector<float>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
        const T value = maxpoolgrad::from_float<T>(values[i]);
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
}
std::vector<uint8_t> bytes_of(Dtype dtype, const std::vector<float>& values) {
    return dtype == Dtype::kFloat16 ? bytes_of<Half>(values) : bytes_of<float>(values);
}

std::vector<float> inputs(Rng& rng, int64_t count, const Values& values) {
    const float specials[] = {kNan, kInfinity, -kInfinity, -0.0f, 0.0f, -65504.0f};
    std::vector<float> out(static_cast<size_t>(count));
    for (float& value : out) {
        value = chance(rng, values.special) ? specials[pick(rng, 0, 5)]
                                            : static_cast<float>(pick(rng, 0, values.levels - 1)) - 4.0f;
    }
    return out;
}

// Of widely different sizes, so that an order of addition other than the specified one shows.
std::vector<float> gradients(Rng& rng, int64_t count, const Values& values) {
    const float specials[] = {kNan, kInfinity, -kInfinity, -0.0f, 65504.0f, 1e-7f};
    std::vector<float> out(static_cast<size_t>(count));
    for (float& value : out) {
        value = std::ldexp(static_cast<float>(pick(rng, -1023, 1023)), static_cast<int>(pick(rng, -14, 4)));
        if (chance(rng, values.special / 8)) {
            value = specials[pick(rng, 0, 5)];
        }
    }
    return out;
}

Axis random_axis(Rng& rng, Rounding rounding, int64_t size, int64_t kernel, int64_t stride) {
    Window window{kernel, stride, 0, 0};
    if (chance(rng, 0.7)) {
        window.pad_begin = pick(rng, 0, kernel + 1);
        window.pad_end = pick(rng, 0, kernel + 1);
    }
    const int64_t output = chance(rng, 0.5) ? maxpoolgrad::forward_output(rounding, size, window)
                                            : maxpoolgrad::formula_output(rounding, size, window);
    return {size, output, kernel, stride, maxpoolgrad::begin_padding(rounding, size, window)};
}

} // namespace

int64_t elements_of_input(const Pooling& pooling) {
    return pooling.planes() * pooling.h.input * pooling.w.input;
}
int64_t elements_of_output(const Pooling& pooling) {
    return pooling.planes() * pooling.h.output * pooling.w.output;
}

Case make_case(const std::string& name, const Pooling& pooling, Dtype dtype, const Values& values, Rng& rng) {
    Case out{name, pooling, dtype, {}, {}, {}, {}};
    const size_t size = dtype == Dtype::kFloat16 ? 2 : 4;
    const auto workers = maxpoolgrad::process_workers(1);
    out.x = bytes_of(dtype, inputs(rng, elements_of_input(pooling), values));
    out.y.resize(static_cast<size_t>(elements_of_output(pooling)) * size);
    maxpoolgrad::max_pool_v3(pooling, dtype, out.x.data(), out.y.data(), workers);
    if (values.other_maximum > 0) {
        const std::vector<uint8_t> others = bytes_of(dtype, inputs(rng, elements_of_output(pooling), values));
        for (size_t i = 0; i < out.y.size(); i += size) {
            if (chance(rng, values.other_maximum)) {
                std::memcpy(out.y.data() + i, others.data() + i, size);
            }
        }
    }
    out.grad = bytes_of(dtype, gradients(rng, elements_of_output(pooling), values));
    out.expected.resize(out.x.size());
    maxpoolgrad::max_pool_v3_grad(pooling, dtype, out.x.data(), out.y.data(), out.grad.data(),
                                  out.expected.data(), workers);
    return out;
}

Pooling random_pooling(Rng& rng) {
    Pooling pooling;
    pooling.format = chance(rng, 0.5) ? DataFormat::kNchw : DataFormat::kNhwc;
    const PaddingMode modes[] = {PaddingMode::kCalculated, PaddingMode::kSame, PaddingMode::kValid};
    Rounding rounding{modes[one_of(rng, {0, 0, 0, 1, 2})], false};
    rounding.ceil = rounding.mode == PaddingMode::kCalculated && chance(rng, 0.5);
    const int64_t planes = one_of(rng, {1, 2, 3, 5, 15, 16, 17, 33, 48});
    pooling.batch = chance(rng, 0.5) ? 1 : pick(rng, 1, 3);
    pooling.channels = planes;
    int64_t kernel[2], stride[2];
    for (int i = 0; i < 2; ++i) {
        kernel[i] = one_of(rng, {1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 9, 13});
        stride[i] = one_of(rng, {1, 1, 1, 2, 2, 3, 4, 5, 11});
    }
    if (chance(rng, 0.5)) {
        kernel[1] = kernel[0];
        stride[1] = stride[0];
    }
    const auto size = [&] { return chance(rng, 0.7) ? pick(rng, 1, 20) : pick(rng, 20, 70); };
    pooling.h = random_axis(rng, rounding, size(), kernel[0], stride[0]);
    pooling.w = random_axis(rng, rounding, size(), kernel[1], stride[1]);
    if (chance(rng, 0.03)) { // a large window
        const int64_t large = pick(rng, 14, 255);
        pooling.h = random_axis(rng, rounding, pick(rng, 1, 40), large, pick(rng, 1, 63));
        pooling.w = random_axis(rng, rounding, pick(rng, 1, 40), pick(rng, 1, large), pick(rng, 1, 63));
        pooling.batch = 1;
        pooling.channels = pick(rng, 1, 3);
    }
    return pooling;
}

Case random_case(uint64_t seed, uint64_t index) {
    std::seed_seq sequence{seed, index};
    Rng rng(sequence);
    const Pooling pooling = random_pooling(rng);
    const Dtype dtype = chance(rng, 0.5) ? Dtype::kFloat16 : Dtype::kFloat32;
    Values values;
    values.levels = static_cast<int>(one_of(rng, {2, 9, 9, 1000}));
    values.special = chance(rng, 0.4) ? 0.05 : 0.0;
    values.other_maximum = chance(rng, 0.3) ? 0.2 : 0.0;
    return make_case("seed " + std::to_string(seed) + " case " + std::to_string(index), pooling, dtype,
                     values, rng);
}

} // namespace kernel_test
