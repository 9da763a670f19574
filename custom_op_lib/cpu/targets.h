// Which instruction sets this processor has.
#pragma once

#include "fast/job.h"

#include <maxpoolgrad/kernel.h>

namespace maxpoolgrad {

// The strategy for a job, for any target that this processor has but kScalar.
FastChoice choose(Target target, const FastJob& job, Dtype dtype);

} // namespace maxpoolgrad
