"""BatchNormalization's gradients as nodes of domain `npu`, each with an ONNX function body.

GE has one operator for both, BatchNormGrad with is_training true and false; ONNX has none. Inputs stand in
GE's order; x is [N, C, ...], and the others but y_backprop are [C]:

    BatchNormGrad(y_backprop, x, scale) = x_backprop, scale_backprop, offset_backprop
    BatchNormInferenceGrad(y_backprop, x, scale, mean, variance) = the same three

The first takes the batch's own mean and variance, which it computes, and x_backprop is a gradient through
them too; GE takes them from the BatchNorm of the same x. The second takes given ones. `epsilon` is
BatchNormalization's, and written. All is of one type: float, or double, which GE does not take.
"""

from __future__ import annotations

BATCH_NORM_GRAD = "BatchNormGrad"
BATCH_NORM_INFERENCE_GRAD = "BatchNormInferenceGrad"

# Affine functions of a tensor for each channel are written as BatchNormalization, the fastest in ONNX
# Runtime: batch_norm(X; s, b, m, v) = s (X - m) / sqrt(v + epsilon) + b. Its constants are made of scale, for
# no operator from opset 13 on casts to the type of another value.
_CONSTANTS = """
  zeroth = Constant <value_int = 0> ()
  ones = Pow (scale, zeroth)
  zeros = Sub (ones, ones)
  flat = Constant <value_ints = [0, 0, -1]> ()
  all_but_channels = Constant <value_ints = [0, 2]> ()
  gradient = Reshape (y_backprop, flat)
"""

# With n elements per channel, centred = x - mean and s = 1 / sqrt(var + epsilon):
#   offset_backprop = sum(dy), scale_backprop = s sum(dy centred),
#   x_backprop = scale s (dy - (offset_backprop + centred s scale_backprop) / n)
# The two sums are needed for x_backprop, so they cost nothing where nobody asks for them.
BATCH_NORM_GRAD_BODY = f"""
<domain: "npu", opset_import: ["" : 18]>
BatchNormGrad <epsilon> (y_backprop, x, scale) => (x_backprop, scale_backprop, offset_backprop)
{{
  {_CONSTANTS}
  image = Reshape (x, flat)
  sizes = Shape (image)
  first = Constant <value_ints = [0]> ()
  second = Constant <value_ints = [1]> ()
  end = Constant <value_ints = [3]> ()
  two = Constant <value_ints = [2]> ()
  counts = Slice (sizes, first, end, first, two)
  count = ReduceProd <keepdims = 0> (counts)
  count_1d = Reshape (count, second)
  one = Slice (ones, first, second)
  many = Expand (one, count_1d)
  n = ReduceSum <keepdims = 0> (many)
  total = ReduceSum <keepdims = 1> (image, all_but_channels)
  mean = Div (total, n)
  centred = Sub (image, mean)
  squares = Mul (centred, centred)
  sum_of_squares = ReduceSum <keepdims = 0> (squares, all_but_channels)
  variance = Div (sum_of_squares, n)
  row = Constant <value_ints = [1, -1]> ()
  ones_row = Reshape (ones, row)
  slope_row = BatchNormalization <epsilon: float = @epsilon> (ones_row, ones, zeros, zeros, variance)
  column = Constant <value_ints = [-1]> ()
  slope = Reshape (slope_row, column)
  products = Mul (gradient, centred)
  sum_of_products = ReduceSum <keepdims = 0> (products, all_but_channels)
  offset_backprop = ReduceSum <keepdims = 0> (gradient, all_but_channels)
  scale_backprop = Mul (sum_of_products, slope)
  sloped = Mul (scale_backprop, slope)
  mean_product = Div (sloped, n)
  mean_gradient = Div (offset_backprop, n)
  common = BatchNormalization <epsilon = 0.0> (centred, mean_product, mean_gradient, zeros, ones)
  rest = Sub (gradient, common)
  scaled = BatchNormalization <epsilon: float = @epsilon> (rest, scale, zeros, zeros, variance)
  shape = Shape (x)
  x_backprop = Reshape (scaled, shape)
}}
"""

BATCH_NORM_INFERENCE_GRAD_BODY = f"""
<domain: "npu", opset_import: ["" : 18]>
BatchNormInferenceGrad <epsilon> (y_backprop, x, scale, mean, variance)
  => (x_backprop, scale_backprop, offset_backprop)
{{
  {_CONSTANTS}
  normal = BatchNormalization <epsilon: float = @epsilon> (x, ones, zeros, mean, variance)
  products = Mul (y_backprop, normal)
  flat_products = Reshape (products, flat)
  scale_backprop = ReduceSum <keepdims = 0> (flat_products, all_but_channels)
  offset_backprop = ReduceSum <keepdims = 0> (gradient, all_but_channels)
  x_backprop = BatchNormalization <epsilon: float = @epsilon> (y_backprop, scale, zeros, zeros, variance)
}}
"""
