// Threads for callers that bring none of their own.
#include <maxpoolgrad/kernel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace maxpoolgrad {

namespace {

// More help nobody, whatever is asked for, and every one of them costs a stack.
constexpr int kMostThreads = 64;

// Runs the tasks on at most `threads` threads, this one among them. A thread that cannot be started is done
// without; the first exception of a task ends the run and is thrown on.
void run_on_threads(int64_t threads, int64_t count, const Task& task) {
    std::atomic<int64_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_lock;
    const auto work = [&] {
        try {
            for (int64_t index = next++; index < count; index = next++) {
                task(index);
            }
        } catch (...) {
            next = count;
            const std::lock_guard<std::mutex> guard(failure_lock);
            failure = failure ? failure : std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(static_cast<size_t>(threads));
    for (int64_t i = 1; i < threads; ++i) {
        try {
            others.emplace_back(work);
        } catch (const std::system_error&) {
            break;
        }
    }
    work();
    for (std::thread& other : others) {
        other.join();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

} // namespace

Workers process_workers(int threads) {
    const int available = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int wanted = threads > 0 ? std::min(threads, std::max(available, kMostThreads)) : available;
    return {wanted, [wanted](int64_t count, const Task& task) {
                run_on_threads(std::min<int64_t>(wanted, count), count, task);
            }};
}

} // namespace maxpoolgrad
