#ifdef __APPLE__
// ucontext.h has contexts for those who ask for them, and warns that POSIX no longer lists them.
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#endif

#include "fiber.h"

#include <new>
#include <sys/mman.h>
#include <ucontext.h>

namespace twin::simt {

namespace {

constexpr size_t kGuardBytes = 1 << 16; // at the stack's far end, not accessible
constexpr size_t kStackBytes = 1 << 17; // touched as far as it is used

thread_local Fiber* g_entering = nullptr; // makecontext hands on numbers only

} // namespace

struct Fiber::Contexts {
    ucontext_t own{};
    ucontext_t caller{};
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
    ended_ = false;
    ucontext_t& own = contexts_->own;
    getcontext(&own);
    own.uc_stack.ss_sp = stack_ + kGuardBytes;
    own.uc_stack.ss_size = kStackBytes;
    own.uc_link = nullptr;
    makecontext(&own, &Fiber::enter, 0);
}

void Fiber::enter() {
    Fiber& self = *g_entering;
    self.body_(self.argument_);
    self.ended_ = true;
    self.suspend(); // for good
}

void Fiber::resume() {
    g_entering = this;
    swapcontext(&contexts_->caller, &contexts_->own);
}

void Fiber::suspend() {
    swapcontext(&contexts_->own, &contexts_->caller);
}

} // namespace twin::simt
