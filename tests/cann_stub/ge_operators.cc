// GE's own operators, as far as the project makes nodes of them.
#include <graph/operator_reg.h>

namespace ge {

// clang-format off: it takes the four for one statement
REG_OP(Data)
    .INPUT(x, TensorType::RealNumberType())
    .OUTPUT(y, TensorType::RealNumberType())
    .ATTR(index, Int, 0)
    .OP_END_FACTORY_REG(Data)

REG_OP(Cast)
    .INPUT(x, TensorType::RealNumberType())
    .OUTPUT(y, TensorType::RealNumberType())
    .REQUIRED_ATTR(dst_type, Int)
    .OP_END_FACTORY_REG(Cast)

REG_OP(Const)
    .OUTPUT(y, TensorType::RealNumberType())
    .OP_END_FACTORY_REG(Const)

REG_OP(ReduceSum)
    .INPUT(x, TensorType::RealNumberType())
    .INPUT(axes, TensorType::RealNumberType())
    .OUTPUT(y, TensorType::RealNumberType())
    .OP_END_FACTORY_REG(ReduceSum)

REG_OP(Shape)
    .INPUT(x, TensorType::RealNumberType())
    .OUTPUT(y, TensorType::RealNumberType())
    .OP_END_FACTORY_REG(Shape)

REG_OP(BatchNorm)
    .INPUT(x, TensorType::RealNumberType())
    .INPUT(scale, TensorType::RealNumberType())
    .INPUT(offset, TensorType::RealNumberType())
    .OUTPUT(y, TensorType::RealNumberType())
    .OP_END_FACTORY_REG(BatchNorm)

REG_OP(BatchNormGrad)
    .INPUT(y_backprop, TensorType::RealNumberType())
    .INPUT(x, TensorType::RealNumberType())
    .INPUT(scale, TensorType::RealNumberType())
    .INPUT(reserve_space_1, TensorType::RealNumberType())
    .INPUT(reserve_space_2, TensorType::RealNumberType())
    .OUTPUT(x_backprop, TensorType::RealNumberType())
    .OUTPUT(scale_backprop, TensorType::RealNumberType())
    .OUTPUT(offset_backprop, TensorType::RealNumberType())
    .OP_END_FACTORY_REG(BatchNormGrad)

REG_OP(Conv2DBackpropInput)
    .INPUT(input_size, TensorType::RealNumberType())
    .INPUT(filter, TensorType::RealNumberType())
    .INPUT(out_backprop, TensorType::RealNumberType())
    .OUTPUT(y, TensorType::RealNumberType())
    .OP_END_FACTORY_REG(Conv2DBackpropInput)

REG_OP(Conv2DBackpropFilter)
    .INPUT(x, TensorType::RealNumberType())
    .INPUT(filter_size, TensorType::RealNumberType())
    .INPUT(out_backprop, TensorType::RealNumberType())
    .OUTPUT(y, TensorType::RealNumberType())
    .OP_END_FACTORY_REG(Conv2DBackpropFilter)

// clang-format on

} // namespace ge
