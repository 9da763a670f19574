#include "block.h"

#include "core.h"
#include "simt_api/device_types.h"

#include <algorithm>
#include <cstdlib>

namespace twin::simt {

namespace {

constexpr uint32_t kLoadsInTurn = 256;

} // namespace

Block::Block(Core& core, const Instruction& call, Dimensions dimensions, Fibers fibers)
    : core_(core), call_(call), dimensions_(dimensions), threads_(dimensions.threads()),
      fibers_(std::move(fibers)) {
    for (const auto& fiber : fibers_) {
        free_.push_back(fiber.get());
    }
}

Fiber* Block::free_fiber() {
    if (free_.empty()) {
        fibers_.push_back(std::make_unique<Fiber>());
        return fibers_.back().get();
    }
    Fiber* fiber = free_.back();
    free_.pop_back();
    return fiber;
}

void Block::take_turn(uint32_t number, void (*body)(void*), void* argument) {
    Thread& thread = threads_[number];
    current_ = number;
    loads_ = 0;
    threadIdx = {number % dimensions_.x, number / dimensions_.x % dimensions_.y,
                 number / dimensions_.x / dimensions_.y};
    if (thread.state == State::kNew) {
        thread.fiber = free_fiber();
        thread.fiber->begin(body, argument);
        thread.state = State::kReady;
    }
    thread.fiber->resume();
    if (thread.fiber->ended()) {
        thread.state = State::kEnded;
    }
    if (thread.state == State::kEnded) {
        free_.push_back(thread.fiber);
        thread.fiber = nullptr;
    }
}

void Block::run(void (*body)(void*), void* argument) {
    blockDim = dimensions_;
    gridDim = {core_.launch.block_dim, 1, 1};
    blockIdx = {static_cast<uint32_t>(core_.index), 0, 0};
    do {
        bool any = true;
        while (any) {
            any = false;
            for (uint32_t number = 0; number < threads_.size(); ++number) {
                if (threads_[number].state == State::kNew || threads_[number].state == State::kReady) {
                    take_turn(number, body, argument);
                    any = true;
                }
            }
        }
    } while (pass_barrier());
}

bool Block::pass_barrier() {
    const auto waits = [](const Thread& thread) { return thread.state == State::kAtBarrier; };
    const auto first = std::find_if(threads_.begin(), threads_.end(), waits);
    if (first == threads_.end()) {
        return false;
    }
    const auto missing = std::find_if_not(threads_.begin(), threads_.end(), waits);
    if (missing != threads_.end()) {
        core_.fault(
            FaultKind::kThreadBarrier, Op::kSyncThreads, first->barrier,
            "thread " + std::to_string(first - threads_.begin()) + " waits here, but thread " +
                std::to_string(missing - threads_.begin()) +
                " has ended without it, so the block hangs; every thread of a block must come to each "
                "asc_syncthreads");
    }
    for (Thread& thread : threads_) {
        if (!waits(thread)) {
            continue;
        }
        if (thread.barrier.line != first->barrier.line || thread.barrier.file != first->barrier.file) {
            core_.fault(FaultKind::kThreadBarrier, Op::kSyncThreads, thread.barrier,
                        "thread " + std::to_string(&thread - threads_.data()) + " waits here, while thread " +
                            std::to_string(first - threads_.begin()) + " waits at line " +
                            std::to_string(first->barrier.line) +
                            "; the threads of a block must meet at one and the same asc_syncthreads");
        }
    }
    for (Thread& thread : threads_) {
        thread.state = waits(thread) ? State::kReady : thread.state;
    }
    ++phase_;
    return true;
}

void Block::end_turn() {
    threads_[current_].fiber->suspend();
}

void Block::count_load() {
    if (++loads_ >= kLoadsInTurn) {
        end_turn();
    }
}

void Block::barrier(Site site) {
    threads_[current_].barrier = site;
    threads_[current_].state = State::kAtBarrier;
    end_turn();
}

void Block::give_up() {
    threads_[current_].state = State::kEnded;
    end_turn();
    std::abort(); // an ended thread gets no turn
}

} // namespace twin::simt
