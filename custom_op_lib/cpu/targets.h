// Which instruction sets this processor has.
#pragma once

#include "fast/job.h"

#include <maxpoolgrad/kernel.h>

namespace maxpoolgrad {

// The strategies for any target that this processor has but kScalar.
FastStrategies strategies_for(Target target, Dtype dtype);

} // namespace maxpoolgrad
