// The operator's prototype, by which GE knows a node of this type: its ports, attributes and their defaults.
//
// It may take the place of the prototype that CANN has for the Ascend 950, so it is as wide in types as that
// one; what the kernels of this project take, float16 and float32, stands in op_host.
//
// The macros need names and defaults spelled out, so this is their second spelling: a test holds it to
// maxpoolgrad/names.h and maxpoolgrad/attributes.h.
#pragma once

#include <graph/operator_reg.h>

namespace ge {

REG_OP(MaxPoolV3Grad)
    .INPUT(orig_input, TensorType::RealNumberType())
    .INPUT(orig_output, TensorType::RealNumberType())
    .INPUT(grad, TensorType::RealNumberType())
    .OUTPUT(out_grad, TensorType::RealNumberType())
    .REQUIRED_ATTR(ksize, ListInt)
    .REQUIRED_ATTR(strides, ListInt)
    .ATTR(padding_mode, String, "CALCULATED")
    .ATTR(pads, ListInt, {0, 0, 0, 0})
    .ATTR(data_format, String, "NCHW")
    .ATTR(global_pooling, Bool, false)
    .ATTR(ceil_mode, Bool, false)
    .OP_END_FACTORY_REG(MaxPoolV3Grad)

} // namespace ge
