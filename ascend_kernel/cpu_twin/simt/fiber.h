// A stack of its own for a function that stops in the middle and goes on later, on the same system thread.
#pragma once

#include <cstddef>
#include <memory>
namespace twin::simt {

class Fiber {
public:
    using Body = void (*)(void*);

    Fiber();
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    // The next resume() calls body(argument) from the beginning; what ran before is given up.
    void begin(Body body, void* argument);
    // Runs the body until it suspends or ends.
    void resume();
    // Back to resume(); called by the body.
    void suspend();
    bool ended() const { return ended_; }

private:
    static void enter();
    void start();

    struct Contexts;
    std::unique_ptr<Contexts> contexts_;
    std::byte* stack_;
    Body body_ = nullptr;
    void* argument_ = nullptr;
    bool started_ = false;
    bool ended_ = true;
};

} // namespace twin::simt
