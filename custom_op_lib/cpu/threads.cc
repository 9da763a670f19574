// Threads for callers that bring none of their own: started at need, kept from call to call.
#include <maxpoolgrad/kernel.h>

#include <pthread.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace maxpoolgrad {

namespace {

// More help nobody, whatever is asked for, and every one of them costs a stack.
constexpr int kMostThreads = 64;

// One call's tasks, shared by the threads that work on it. The first exception of a task ends the run.
class Run {
public:
    Run(int64_t count, const Task& task) : count_(count), task_(task) {}

    void work() noexcept {
        try {
            for (int64_t index = next_++; index < count_; index = next_++) {
                task_(index);
            }
        } catch (...) {
            next_ = count_;
            const std::lock_guard<std::mutex> guard(lock_);
            failure_ = failure_ ? failure_ : std::current_exception();
        }
    }

    void rethrow() const {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

private:
    const int64_t count_;
    const Task& task_;
    std::atomic<int64_t> next_{0};
    std::mutex lock_;
    std::exception_ptr failure_;
};

// Never destroyed: its threads are detached and wait for the process to end.
class Pool {
public:
    // Works on `run` with at most `helpers` other threads; false where the pool is another caller's just now.
    bool work(Run& run, int64_t helpers) {
        std::unique_lock<std::mutex> guard(lock_);
        if (run_ != nullptr) {
            return false;
        }
        start(helpers);
        run_ = &run;
        places_ = helpers;
        guard.unlock();
        wake_.notify_all();
        run.work();
        guard.lock();
        places_ = 0; // who has not come by now comes too late
        done_.wait(guard, [&] { return working_ == 0; });
        run_ = nullptr;
        return true;
    }

private:
    // A thread that cannot be started is done without.
    void start(int64_t helpers) {
        for (; threads_ < helpers; ++threads_) {
            try {
                std::thread([this] { serve(); }).detach();
            } catch (const std::system_error&) {
                break;
            }
        }
    }

    void serve() {
        std::unique_lock<std::mutex> guard(lock_);
        while (true) {
            wake_.wait(guard, [&] { return places_ > 0; });
            --places_;
            ++working_;
            Run& run = *run_;
            guard.unlock();
            run.work();
            guard.lock();
            if (--working_ == 0) {
                done_.notify_one();
            }
        }
    }

    std::mutex lock_;
    std::condition_variable wake_, done_;
    Run* run_ = nullptr;
    int64_t threads_ = 0, places_ = 0, working_ = 0;
};

std::atomic<Pool*> current_pool{nullptr};

// A child process has none of its parent's threads, and perhaps a locked lock: it gets a pool of its own.
Pool& pool() {
    static const bool prepared = [] {
        current_pool = new Pool;
        pthread_atfork(nullptr, nullptr, [] { current_pool = new Pool; });
        return true;
    }();
    static_cast<void>(prepared);
    return *current_pool;
}

void run_on_threads(int64_t threads, int64_t count, const Task& task) {
    Run run(count, task);
    if (threads <= 1 || !pool().work(run, threads - 1)) {
        run.work();
    }
    run.rethrow();
}

} // namespace

int available_threads() {
#if defined(__linux__)
    cpu_set_t cpus; // the standard library reads a file for it, which takes longer than a small gradient
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) {
        return std::max(1, CPU_COUNT(&cpus));
    }
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Workers process_workers(int threads) {
    const int wanted = threads > 0 && threads <= kMostThreads
                           ? threads
                           : std::min(threads > 0 ? threads : available_threads(),
                                      std::max(available_threads(), kMostThreads));
    return {wanted, [wanted](int64_t count, const Task& task) {
                run_on_threads(std::min<int64_t>(wanted, count), count, task);
            }};
}

} // namespace maxpoolgrad
