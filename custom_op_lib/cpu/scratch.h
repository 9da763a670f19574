// Working memory of a thread, kept from call to call.
#pragma once

#include <cstdint>

namespace maxpoolgrad {

// On a cache line, undefined contents. Valid until this thread asks again.
float* thread_scratch(int64_t floats);

} // namespace maxpoolgrad
