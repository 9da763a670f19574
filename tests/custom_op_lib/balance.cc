// How evenly two threads share a gradient: of the elements of out_grad that its tasks write, the share of the
// thread that writes most, where a thread that is done takes the next task.
#include <maxpoolgrad/kernel.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace maxpoolgrad;

int balance();

namespace {

constexpr int kThreads = 2;
constexpr uint32_t kUntouched = 0xffffffffu; // a NaN that no task writes

Axis axis_of(int64_t input, int64_t kernel, int64_t stride, int64_t pad) {
    return {input, (input + 2 * pad - kernel) / stride + 1, kernel, stride, pad};
}

// Runs a call's tasks one after the other, and looks what each has written.
double longest_share(const Pooling& pooling) {
    const auto large = static_cast<size_t>(pooling.planes() * pooling.h.input * pooling.w.input);
    const auto small = static_cast<size_t>(pooling.planes() * pooling.h.output * pooling.w.output);
    std::vector<float> x(large), y(small), grad(small, 1.0f);
    for (size_t i = 0; i < large; ++i) {
        x[i] = static_cast<float>(i * 7919 % 1009);
    }
    max_pool_v3(pooling, Dtype::kFloat32, x.data(), y.data(), process_workers(kThreads));
    std::vector<uint32_t> out_grad(large, kUntouched);
    int64_t written[kThreads] = {}, total = 0;
    const auto count = [&] {
        return static_cast<int64_t>(large) - std::count(out_grad.begin(), out_grad.end(), kUntouched);
    };
    const Workers workers{kThreads, [&](int64_t tasks, const Task& task) {
                              for (int64_t index = 0; index < tasks; ++index) {
                                  task(index);
                                  const int64_t now = count();
                                  *std::min_element(written, written + kThreads) += now - total;
                                  total = now;
                              }
                          }};
    max_pool_v3_grad(pooling, Dtype::kFloat32, x.data(), y.data(), grad.data(), out_grad.data(), workers);
    const bool shared = total == static_cast<int64_t>(large);
    return shared ? static_cast<double>(*std::max_element(written, written + kThreads)) /
                        static_cast<double>(total)
                  : 1.0;
}

} // namespace

int balance() {
    const Pooling poolings[] = {
        {DataFormat::kNchw, 1, 64, axis_of(112, 3, 2, 1), axis_of(112, 3, 2, 1)},
        {DataFormat::kNchw, 1, 192, axis_of(56, 3, 2, 0), axis_of(56, 3, 2, 0)},
        {DataFormat::kNchw, 1, 256, axis_of(28, 3, 1, 1), axis_of(28, 3, 1, 1)},
        {DataFormat::kNchw, 2, 8, axis_of(512, 7, 3, 3), axis_of(512, 7, 3, 3)},
        {DataFormat::kNchw, 1, 3, axis_of(300, 2, 2, 0), axis_of(400, 2, 2, 0)},
    };
    for (const Pooling& pooling : poolings) {
        std::printf("%.3f\n", longest_share(pooling));
    }
    return 0;
}
