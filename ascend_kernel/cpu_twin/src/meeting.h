// Where the cores of a launch wait for each other: SyncAll.
#pragma once

#include <condition_variable>
#include <mutex>

namespace twin {

class Meeting {
public:
    explicit Meeting(int cores) : expected_(cores) {}

    // Waits until all cores are here. False where some have ended without coming: they would be waited for.
    bool arrive() {
        std::unique_lock<std::mutex> lock(mutex_);
        uneven_ = uneven_ || gone_;
        const unsigned long round = round_;
        if (++here_ >= expected_) {
            open();
        } else {
            changed_.wait(lock, [&] { return round_ != round; });
        }
        return !uneven_;
    }

    // A core has ended: nobody waits for it any more.
    void leave() {
        const std::lock_guard<std::mutex> lock(mutex_);
        --expected_;
        gone_ = true;
        uneven_ = uneven_ || here_ > 0;
        if (here_ > 0 && here_ >= expected_) {
            open();
        }
    }

private:
    void open() {
        here_ = 0;
        ++round_;
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int expected_;
    int here_ = 0;
    unsigned long round_ = 0;
    bool uneven_ = false;
    bool gone_ = false;
};

} // namespace twin
