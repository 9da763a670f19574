// The threads of one asc_vf_call on one core. They run in turns, in the order of their numbers: a turn ends
// with a store, at a barrier, or after a number of loads, so that all threads get along at about the same
// pace, as warps do, and the data cache sees their accesses in about that order.
#pragma once

#include "fiber.h"

#include <twin/simt.h>

#include <memory>
#include <utility>
#include <vector>

namespace twin {
struct Core;
struct Instruction;
} // namespace twin

namespace twin::simt {

constexpr uint32_t kWarpThreads = 32;
constexpr uint32_t kMaxThreads = 2048;

using Fibers = std::vector<std::unique_ptr<Fiber>>;

class Block {
public:
    // `fibers` that nobody uses; the block makes more where it needs them.
    Block(Core& core, const Instruction& call, Dimensions dimensions, Fibers fibers);
    Fibers take_fibers() { return std::move(fibers_); }

    void run(void (*body)(void*), void* argument);

    // Of the thread that runs.
    uint32_t thread() const { return current_; }
    void end_turn();
    void count_load(); // ends the turn now and then
    void barrier(Site site);
    [[noreturn]] void give_up(); // the thread does nothing more

    uint32_t phase() const { return phase_; } // barriers passed
    const Instruction& call() const { return call_; }

private:
    enum class State : uint8_t { kNew, kReady, kAtBarrier, kEnded };
    struct Thread {
        State state = State::kNew;
        Site barrier;
        Fiber* fiber = nullptr;
    };

    void take_turn(uint32_t number, void (*body)(void*), void* argument);
    bool pass_barrier(); // false where no thread waits
    Fiber* free_fiber();

    Core& core_;
    const Instruction& call_;
    const Dimensions dimensions_;
    std::vector<Thread> threads_;
    Fibers fibers_; // as many as threads have been under way at once
    std::vector<Fiber*> free_;
    uint32_t current_ = 0;
    uint32_t loads_ = 0; // in this turn
    uint32_t phase_ = 1;
};

} // namespace twin::simt
