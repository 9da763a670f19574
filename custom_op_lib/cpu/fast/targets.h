// One function for each instruction set that the strategies are compiled for, defined in a file of its own.
#pragma once

#include "job.h"

namespace maxpoolgrad {

namespace baseline {
FastStrategies strategies(bool float16);
}

#if defined(__x86_64__)
namespace avx2 {
FastStrategies strategies(bool float16);
}

namespace avx512 {
FastStrategies strategies(bool float16);
}
#endif

} // namespace maxpoolgrad
