// One function for each instruction set that the strategies are compiled for, defined in a file of its own.
#pragma once

#include "job.h"

namespace maxpoolgrad {

namespace baseline {
FastChoice choose(const FastJob& job, bool float16);
float move(const MoveJob& job);
} // namespace baseline

#if defined(__x86_64__)
namespace avx2 {
FastChoice choose(const FastJob& job, bool float16);
float move(const MoveJob& job);
} // namespace avx2

namespace avx512 {
FastChoice choose(const FastJob& job, bool float16);
float move(const MoveJob& job);
} // namespace avx512
#endif

} // namespace maxpoolgrad
