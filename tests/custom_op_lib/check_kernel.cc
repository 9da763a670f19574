// Random poolings on every target, against the specification, on arrays that end where they end: for the
// sanitizers. Prints the first case that differs, or a number made of all results, the same on every
// processor.
//
//     check_kernel COUNT
//     check_kernel cases < CALLS, see run_cases.cc
//     check_kernel balance, see balance.cc
#include <maxpoolgrad/attributes.h>
#include <maxpoolgrad/kernel.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

using namespace maxpoolgrad;

int run_cases();
int balance();

namespace {

std::mt19937 generator; // and nothing of <random> beside it: distributions differ from library to library
uint64_t digest = 1469598103934665603u;

int64_t draw(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(generator() % static_cast<uint64_t>(high - low + 1));
}

// Few different values, so that there are ties; NaN and both infinities among them, as both dtypes' bits.
struct Elements {
    Dtype dtype;
    size_t count;
    std::unique_ptr<char[]> bytes;

    Elements(Dtype type, int64_t elements)
        : dtype(type), count(static_cast<size_t>(elements)), bytes(new char[count * size()]) {
        static constexpr uint16_t kHalves[] = {0x0000, 0x8000, 0x3c00, 0x3c00, 0xbc00, 0x4000,
                                               0x0001, 0x7e00, 0x7c00, 0xfc00, 0x3555};
        static constexpr uint32_t kFloats[] = {0x00000000, 0x80000000, 0x3f800000, 0x3f800000,
                                               0xbf800000, 0x40000000, 0x00000001, 0x7fc00000,
                                               0x7f800000, 0xff800000, 0x3eaaaaab};
        const int64_t most = draw(0, 3) == 0 ? 10 : 5;
        for (size_t i = 0; i < count; ++i) {
            const auto at = static_cast<size_t>(draw(0, most));
            const void* value = dtype == Dtype::kFloat16 ? static_cast<const void*>(&kHalves[at])
                                                         : static_cast<const void*>(&kFloats[at]);
            std::memcpy(bytes.get() + i * size(), value, size());
        }
    }

    size_t size() const { return dtype == Dtype::kFloat16 ? 2 : 4; }

    // A zero's sign is free, and so is what is in a NaN.
    uint32_t plain(size_t i) const {
        uint32_t value = 0;
        std::memcpy(&value, bytes.get() + i * size(), size());
        const uint32_t magnitude = value & (dtype == Dtype::kFloat16 ? 0x7fffu : 0x7fffffffu);
        const uint32_t infinity = dtype == Dtype::kFloat16 ? 0x7c00u : 0x7f800000u;
        return magnitude == 0 ? 0 : magnitude > infinity ? infinity + 1 : value;
    }
};

Axis draw_axis(int64_t most, bool large_windows) {
    const int64_t kernel = large_windows ? draw(1, 16) : draw(0, 3) == 0 ? draw(1, 9) : draw(2, 3);
    const int64_t stride = large_windows ? 1 : draw(0, 3) == 0 ? draw(1, 5) : draw(1, 2);
    const int64_t input = draw(1, most);
    const Window window{kernel, stride, draw(0, 1) * draw(0, kernel), draw(0, 1) * draw(0, kernel)};
    const int64_t output = formula_output({PaddingMode::kCalculated, draw(0, 1) == 1}, input, window);
    return {input, output, kernel, stride, window.pad_begin};
}

bool one_case() {
    const DataFormat format = draw(0, 1) == 0 ? DataFormat::kNchw : DataFormat::kNhwc;
    const Dtype dtype = draw(0, 1) == 0 ? Dtype::kFloat16 : Dtype::kFloat32;
    const bool large_windows = draw(0, 3) == 0;
    Pooling pooling{format, draw(1, 2), draw(1, 20), draw_axis(large_windows ? 17 : 20, large_windows),
                    draw_axis(large_windows ? 17 : 45, large_windows)};
    if (draw(0, 2) == 0) {
        pooling.w.kernel = pooling.w.stride = pooling.h.kernel = pooling.h.stride = 2;
        pooling.w.pad = pooling.h.pad = 0;
        pooling.h.output = pooling.h.input / 2;
        pooling.w.output = pooling.w.input / 2;
    }
    const int64_t large = pooling.planes() * pooling.h.input * pooling.w.input;
    const int64_t small = pooling.planes() * pooling.h.output * pooling.w.output;
    const Elements x(dtype, large), g(dtype, small);
    Elements y(dtype, small), expected(dtype, large);
    if (draw(0, 3) != 0) {
        max_pool_v3(pooling, dtype, x.bytes.get(), y.bytes.get(), process_workers(1));
    }
    const auto run = [&](Elements& to, Target target, int threads) {
        max_pool_v3_grad(pooling, dtype, x.bytes.get(), y.bytes.get(), g.bytes.get(), to.bytes.get(),
                         process_workers(threads), target);
    };
    run(expected, Target::kScalar, 1);
    for (size_t i = 0; i < expected.count; ++i) {
        digest = (digest ^ expected.plain(i)) * 1099511628211u;
    }
    for (const Target target : cpu_targets()) {
        Elements found(dtype, large);
        run(found, target, static_cast<int>(draw(1, 3)));
        for (size_t i = 0; i < found.count; ++i) {
            if (found.plain(i) != expected.plain(i)) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "cases") == 0) {
        return run_cases();
    }
    if (argc > 1 && std::strcmp(argv[1], "balance") == 0) {
        return balance();
    }
    const unsigned count = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 100;
    for (unsigned index = 0; index < count; ++index) {
        generator.seed(index);
        if (!one_case()) {
            std::printf("case %u differs\n", index);
            return 1;
        }
    }
    std::printf("%u cases, %llx\n", count, static_cast<unsigned long long>(digest));
    return 0;
}
