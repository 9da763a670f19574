"""Relu's gradient as a node of domain `npu` with an ONNX function body.

GE has an operator of this name; ONNX has none. Inputs stand in GE's order, and like GE's they may broadcast:

    ReluGrad(gradients, features) = gradients where features > 0, else 0

`features` is Relu's input or its result, which are positive together.
"""

from __future__ import annotations

RELU_GRAD = "ReluGrad"

# A product rather than Where, which is over ten times as slow in ONNX Runtime. An infinite gradient where the
# feature is not positive gives NaN.
RELU_GRAD_BODY = """
<domain: "npu", opset_import: ["" : 18]>
ReluGrad (gradients, features) => (backprops)
{
  positive = Relu (features)
  slope = Sign (positive)
  backprops = Mul (gradients, slope)
}
"""
