// How float32 arithmetic rounds, which a host program may have changed for a thread.
#pragma once

#include <cfenv>

namespace maxpoolgrad {

// Rounding to nearest and subnormals kept, as the specification wants them, for as long as this lives. ONNX
// Runtime flushes subnormals in all its threads where one session asks for that, and so do other libraries.
class DefaultFloats {
public:
    DefaultFloats() {
        std::fegetenv(&host_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloats() { std::fesetenv(&host_); }
    DefaultFloats(const DefaultFloats&) = delete;
    DefaultFloats& operator=(const DefaultFloats&) = delete;

private:
    std::fenv_t host_;
};

} // namespace maxpoolgrad
