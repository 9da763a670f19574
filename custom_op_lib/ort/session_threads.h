// The session's own threads as the kernel's workers.
#pragma once

#include "ort_abi.h"

#include <maxpoolgrad/kernel.h>

namespace maxpoolgrad::ort {

// For the time of one KernelCompute call.
Workers session_workers(const OrtApi* api, const OrtKernelContext* context);

} // namespace maxpoolgrad::ort
