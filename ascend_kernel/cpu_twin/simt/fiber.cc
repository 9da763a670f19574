#ifdef __APPLE__
// ucontext.h has contexts for those who ask for them, and warns that POSIX no longer lists them.
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#endif

#undef _FORTIFY_SOURCE // its longjmp refuses to jump to another stack

#include "fiber.h"

#include <csetjmp>
#include <new>
#include <sys/mman.h>
#include <ucontext.h>

namespace twin::simt {

namespace {

constexpr size_t kGuardBytes = 1 << 16; // at the stack's far end, not accessible
constexpr size_t kStackBytes = 1 << 17; // touched as far as it is used

thread_local Fiber* g_entering = nullptr; // makecontext hands on numbers only

} // namespace

// A context begins the stack; from then on it is jumps, which cost no system call as swapping contexts does.
struct Fiber::Contexts {
    ucontext_t start{};
    std::jmp_buf own;
    std::jmp_buf caller;
};

Fiber::Fiber() : contexts_(std::make_unique<Contexts>()) {
    void* memory =
        mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::bad_alloc();
    }
    stack_ = static_cast<std::byte*>(memory);
    mprotect(stack_, kGuardBytes, PROT_NONE);
}

Fiber::~Fiber() {
    munmap(stack_, kGuardBytes + kStackBytes);
}

void Fiber::begin(Body body, void* argument) {
    body_ = body;
    argument_ = argument;
    if (!ended_) { // in the middle of another body
        started_ = false;
    }
    ended_ = false;
}

void Fiber::enter() {
    Fiber& self = *g_entering;
    for (;;) {
        self.body_(self.argument_);
        self.ended_ = true;
        self.suspend();
    }
}

void Fiber::start() {
    ucontext_t& start = contexts_->start;
    getcontext(&start);
    start.uc_stack.ss_sp = stack_ + kGuardBytes;
    start.uc_stack.ss_size = kStackBytes;
    start.uc_link = nullptr;
    makecontext(&start, &Fiber::enter, 0);
    started_ = true;
    g_entering = this;
    setcontext(&start);
}

void Fiber::resume() {
    if (_setjmp(contexts_->caller) != 0) {
        return;
    }
    if (started_) {
        _longjmp(contexts_->own, 1);
    }
    start();
}

void Fiber::suspend() {
    if (_setjmp(contexts_->own) == 0) {
        _longjmp(contexts_->caller, 1);
    }
}

} // namespace twin::simt
