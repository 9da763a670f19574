// The CPU kernel's entry points. They trust their arguments: check them with contract.h first.
#pragma once

#include "geometry.h"
#include "names.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace maxpoolgrad {

// Runs task(0) .. task(count - 1), in any order and on any threads, and returns when all are done.
using Task = std::function<void(int64_t)>;
using ParallelFor = std::function<void(int64_t count, const Task& task)>;

// How a kernel spreads its work: it makes enough tasks for `threads` threads and hands them to `run`.
struct Workers {
    int threads = 1;
    ParallelFor run;
};

// How many threads can run at once: those that the process may use.
int available_threads();

// Threads of this process, kept from call to call; 0 stands for as many as the process may use. One call at a
// time has them: a call that comes meanwhile works alone.
Workers process_workers(int threads);

// What the kernel is compiled for: the specification itself, and instruction sets in rising order. All give
// the same bits.
enum class Target { kScalar, kBaseline, kAvx2, kAvx512 };
inline constexpr std::array<const char*, 4> kTargets = {"scalar", "baseline", "avx2", "avx512"}; // as Target

// The environment variable that may name the target to use; read once.
inline constexpr const char* kTargetVariable = "MAXPOOLGRAD_CPU_TARGET";

// Those that this processor has, in rising order.
std::vector<Target> cpu_targets();

// The best of them, or the one that the environment names.
Target chosen_target();

// All tensors are contiguous, in the pooling's data format; `out_grad` is overwritten whole.
void max_pool_v3_grad(const Pooling& pooling, Dtype dtype, const void* orig_input, const void* orig_output,
                      const void* grad, void* out_grad, const Workers& workers,
                      Target target = chosen_target());

// The forward operator: the maximum of each window's numbers, NaN left out; -Inf for a window without a
// number.
void max_pool_v3(const Pooling& pooling, Dtype dtype, const void* input, void* output,
                 const Workers& workers);

// What a gradient would cost that computes nothing: orig_input's bytes go to out_grad, orig_output and grad
// are read. What it returns only keeps the reading from being left out.
struct MoveBytes {
    const void* orig_input;
    const void* orig_output;
    const void* grad;
    void* out_grad;
    int64_t large, small; // bytes of orig_input and of orig_output
    bool past_caches;     // stores that do not go through the caches
    bool ahead;           // memory asked for ahead of the loads
    int64_t streams;      // places worked on in turn
};

float move_bytes(const MoveBytes& bytes, const Workers& workers);

// These functions, for a program that links the custom-op library: it need not hold the kernel a second time.
struct KernelFunctions {
    decltype(&maxpoolgrad::process_workers) process_workers;
    decltype(&maxpoolgrad::cpu_targets) cpu_targets;
    decltype(&maxpoolgrad::chosen_target) chosen_target;
    decltype(&maxpoolgrad::max_pool_v3_grad) max_pool_v3_grad;
    decltype(&maxpoolgrad::max_pool_v3) max_pool_v3;
    decltype(&maxpoolgrad::move_bytes) move_bytes;
};

} // namespace maxpoolgrad

// What the custom-op library exports beside ONNX Runtime's entry point.
extern "C" __attribute__((visibility("default"))) const maxpoolgrad::KernelFunctions* MaxPoolGradKernel();
