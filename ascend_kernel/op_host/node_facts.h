// What CANN's contexts say of a node, in the contract's terms.
#pragma once

#include <maxpoolgrad/contract.h>

#include <register/op_impl_registry.h>
#include <string>

namespace maxpoolgrad::cann {

// How a sentence about the node begins.
std::string subject_of(const gert::ExtendedKernelContext& context);

// Reads the attributes and checks them. Returns the sentence that refuses them, or an empty one.
std::string read_attributes(const gert::ExtendedKernelContext& context, Attributes* attributes);

// {-2} is GE's shape of unknown rank, -1 its unknown dimension. A null pointer is of unknown rank, too.
PartialShape shape_of(const gert::Shape* shape);

// NumPy's name of the type; empty where it is not known.
std::string dtype_name(ge::DataType dtype);

} // namespace maxpoolgrad::cann
