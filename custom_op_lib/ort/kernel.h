// A node in a session.
#pragma once

#include "ort_abi.h"

#include <maxpoolgrad/contract.h>

#include <string>

namespace maxpoolgrad::ort {

class Kernel {
public:
    // Throws StatusError with the contract's sentence for all that can be refused before shapes are known.
    Kernel(const OrtApi* api, const OrtKernelInfo* info);

    // Writes out_grad on the session's own threads. Throws StatusError with the contract's sentence where the
    // inputs cannot be right.
    void compute(OrtKernelContext* context) const;

    const OrtApi* api() const { return api_; }

private:
    const OrtApi* api_;
    std::string subject_;
    Attributes attributes_;
};

} // namespace maxpoolgrad::ort
