// What a node says of itself when its session is created.
#pragma once

#include "ort_abi.h"

#include <maxpoolgrad/contract.h>

#include <array>
#include <string>

namespace maxpoolgrad::ort {

// The beginning of every sentence about the node.
std::string subject_of(const OrtApi* api, const OrtKernelInfo* info);

// The attributes with their defaults. Throws StatusError with the contract's sentence where a required one is
// missing or one is of a wrong type; values are not checked.
Attributes attributes_of(const OrtApi* api, const OrtKernelInfo* info, const std::string& subject);

// NumPy's name of an element type; empty for an unknown one.
std::string dtype_name(ElementType type);

// What the model declares of the inputs, or inference found out; either may be unknown.
struct DeclaredInputs {
    std::array<std::string, 3> dtypes;
    std::array<PartialShape, 3> shapes;
};

// Throws StatusError with the contract's sentence where the node has not three inputs.
DeclaredInputs declared_inputs(const OrtApi* api, const OrtKernelInfo* info, const std::string& subject);

} // namespace maxpoolgrad::ort
