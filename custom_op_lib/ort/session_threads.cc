#include "session_threads.h"

#include "api.h"

#include <atomic>
#include <mutex>

namespace maxpoolgrad::ort {
namespace {

// One run of tasks, shared by the threads that work on it. The first exception ends it: a task must not throw
// into ONNX Runtime.
struct Run {
    const Task& task;
    std::atomic<bool> failed{false};
    std::mutex lock;
    std::exception_ptr failure;
};

void run_one(void* data, size_t index) noexcept {
    Run& run = *static_cast<Run*>(data);
    if (run.failed) {
        return;
    }
    try {
        run.task(static_cast<int64_t>(index));
    } catch (...) {
        const std::lock_guard<std::mutex> guard(run.lock);
        run.failure = run.failed ? run.failure : std::current_exception();
        run.failed = true;
    }
}

} // namespace

// API version 17 does not tell how many threads a session has. The machine's count bounds it in practice, and
// a few tasks too many cost little.
Workers session_workers(const OrtApi* api, const OrtKernelContext* context) {
    const int threads = available_threads();
    return {threads, [api, context](int64_t count, const Task& task) {
                if (count <= 0) { // which ONNX Runtime refuses
                    return;
                }
                Run run{task, {}, {}, {}};
                call<KernelContextParallelFor>(api, context, &run_one, static_cast<size_t>(count), size_t{0},
                                               static_cast<void*>(&run));
                if (run.failure) {
                    std::rethrow_exception(run.failure);
                }
            }};
}

} // namespace maxpoolgrad::ort
