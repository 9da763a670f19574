// How long planning takes for A2 and A3, on shapes that leave many ways to cut them.
//
//   arch22_plan_time SEED COUNT    prints JSON: milliseconds of processor time for each of some large
//   poolings (the median of several plans), and the most that any of COUNT random poolings takes (the least
//   of three)
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <plan.h>
#include <random>
#include <vector>

using namespace maxpoolgrad;

namespace {

struct Case {
    const char* name;
    DataFormat format;
    int64_t batch, channels, height, width, kernel, stride, pad;
};

constexpr Case kShapes[] = {
    {"32x64x112x112 k3 s2", DataFormat::kNchw, 32, 64, 112, 112, 3, 2, 1},
    {"32x112x112x64 k3 s2", DataFormat::kNhwc, 32, 64, 112, 112, 3, 2, 1},
    {"1x3x1080x1920 k3 s2", DataFormat::kNchw, 1, 3, 1080, 1920, 3, 2, 1},
    {"1x16x4096x4096 k3 s1", DataFormat::kNchw, 1, 16, 4096, 4096, 3, 1, 1},
    {"1x4096x4096x16 k255 s1", DataFormat::kNhwc, 1, 16, 4096, 4096, 255, 1, 0},
    {"8x40x40x1024 k13 s1", DataFormat::kNhwc, 8, 1024, 40, 40, 13, 1, 6},
    {"1x512x512x4096 k3 s1", DataFormat::kNhwc, 1, 4096, 512, 512, 3, 1, 1},
};

Axis axis(int64_t input, int64_t kernel, int64_t stride, int64_t pad) {
    const int64_t output = std::max<int64_t>(0, floor_div(input + 2 * pad - kernel, stride) + 1);
    return {input, output, kernel, stride, pad};
}

Pooling pooling_of(const Case& shape) {
    Pooling pooling;
    pooling.format = shape.format;
    pooling.batch = shape.batch;
    pooling.channels = shape.channels;
    pooling.h = axis(shape.height, shape.kernel, shape.stride, shape.pad);
    pooling.w = axis(shape.width, shape.kernel, shape.stride, shape.pad);
    return pooling;
}

Case random_shape(std::mt19937_64& rng) {
    const auto pick = [&](int64_t low, int64_t high) {
        return std::uniform_int_distribution<int64_t>(low, high)(rng);
    };
    const auto size = [&](double most) {
        return static_cast<int64_t>(std::pow(most, std::uniform_real_distribution<double>(0, 1)(rng)));
    };
    const int64_t kernel = pick(0, 3) == 0 ? pick(1, 255) : pick(1, 13);
    const int64_t stride = pick(0, 3) == 0 ? pick(1, 63) : pick(1, 3);
    return {"",
            pick(0, 1) == 0 ? DataFormat::kNchw : DataFormat::kNhwc,
            size(64),
            size(8192),
            size(8192),
            size(8192),
            kernel,
            stride,
            pick(0, kernel / 2)};
}

double milliseconds(const Pooling& pooling) {
    constexpr int64_t kUbBytes = 192 * 1024 - 256;
    const std::clock_t begin = std::clock();
    const KernelPlan plan = plan_kernel(pooling, Dtype::kFloat16, {2201, 48, kUbBytes});
    const std::clock_t end = std::clock();
    return plan.block_dim == 0 ? 0 : 1000.0 * static_cast<double>(end - begin) / CLOCKS_PER_SEC;
}

double median(const Pooling& pooling) {
    std::vector<double> times(9);
    std::generate(times.begin(), times.end(), [&] { return milliseconds(pooling); });
    std::nth_element(times.begin(), times.begin() + 4, times.end());
    return times[4];
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: arch22_plan_time SEED COUNT\n";
        return 2;
    }
    std::cout << "{\"shapes\": {";
    const char* comma = "";
    for (const Case& shape : kShapes) {
        std::cout << comma << "\"" << shape.name << "\": " << median(pooling_of(shape));
        comma = ", ";
    }
    std::mt19937_64 rng(std::strtoull(argv[1], nullptr, 10));
    double slowest = 0;
    for (uint64_t left = std::strtoull(argv[2], nullptr, 10); left > 0; --left) {
        const Pooling pooling = pooling_of(random_shape(rng));
        const double first = milliseconds(pooling);
        if (first > slowest) { // again: something else may have had the processor
            slowest = std::max(slowest, std::min({first, milliseconds(pooling), milliseconds(pooling)}));
        }
    }
    std::cout << "}, \"slowest\": " << slowest << "}\n";
    return 0;
}
