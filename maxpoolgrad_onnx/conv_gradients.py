"""The gradients of a 2-D Conv as nodes of domain `npu`, each with an ONNX function body.

GE has training operators of the first two names; ONNX has none. A model carries the nodes, and the bodies let
any ONNX runtime run them. Inputs stand in GE's order, attributes in ONNX's form, all four written: `strides`
[h, w], `pads` [top, left, bottom, right], `dilations` [h, w], `group`.

    Y = Conv(X, W, B)    X [N, C, H, W], W [M, C / group, kH, kW], B [M], Y [N, M, oH, oW]
    Conv2DBackpropInput(input_size, filter, out_backprop) = dX, of X's shape
    Conv2DBackpropFilter(x, filter_size, out_backprop) = dW, of W's shape
    ConvGrad(dY, X, W) = dX, dW, dB, all of them together as in ONNX Runtime's training
    ConvGradWithoutBias(dY, X, W) = dX, dW: runtimes compute what nobody reads, too

`input_size` and `filter_size` are int64 tensors of 4 elements. dW is float32 whatever X and dY are, as GE's
prototype has it: over a batch it sums too much for float16. Everything else is of X's type. Shapes alone
decide the order of the sums: a runtime with a deterministic matrix product gives the same bits in every run.
"""

from __future__ import annotations

CONV_INPUT_GRAD = "Conv2DBackpropInput"
CONV_FILTER_GRAD = "Conv2DBackpropFilter"
CONV_GRAD = "ConvGrad"
CONV_GRAD_WITHOUT_BIAS = "ConvGradWithoutBias"

# dX, two ways to the same sums.
# With stride 1, by convolution: dY, turned by 180 degrees and framed with zeros, convolved with W, its two
#   channel axes exchanged in each group, is dX turned by 180 degrees; faster in ONNX Runtime, and images are
#   turned faster than filters.
# Else by ConvTranspose, which adds every window back onto the padded input; then the padding is cut off, and
#   rows and columns behind the last window become zeros. (Pad could do both with negative pads; not every
#   runtime takes those. Nor does the first way fit a padding that is wider than the window reaches.)
CONV_INPUT_GRAD_BODY = """
<domain: "npu", opset_import: ["" : 18]>
Conv2DBackpropInput <strides, pads, dilations, group> (input_size, filter, out_backprop) => (y)
{
  pads = Constant <value_ints: ints = @pads> ()
  strides = Constant <value_ints: ints = @strides> ()
  dilations = Constant <value_ints: ints = @dilations> ()
  zero = Constant <value_ints = [0]> ()
  one = Constant <value_ints = [1]> ()
  two = Constant <value_ints = [2]> ()
  four = Constant <value_ints = [4]> ()
  plane = Constant <value_ints = [2, 3]> ()
  start = Slice (pads, zero, two)
  size = Slice (input_size, two, four)
  filter_shape = Shape (filter)
  window = Slice (filter_shape, two, four)
  steps = Sub (window, one)
  reach = Mul (steps, dilations)
  out_shape = Shape (out_backprop)
  out_size = Slice (out_shape, two, four)
  frame_begin = Sub (reach, start)
  full = Add (size, reach)
  full_rest = Sub (full, out_size)
  frame_end = Sub (full_rest, frame_begin)
  step_excess = Sub (strides, one)
  step_limits = Neg (step_excess)
  limits = Concat <axis = 0> (frame_begin, frame_end, step_limits)
  least = ReduceMin <keepdims = 0> (limits)
  nothing = Constant <value_int = 0> ()
  does_not_fit = Less (least, nothing)
  y = If (does_not_fit) <
    then_branch = by_transposition () => (by_transposition_y) {
      padded = ConvTranspose <strides: ints = @strides, dilations: ints = @dilations, group: int = @group> (
        out_backprop, filter
      )
      end = Add (start, size)
      inner = Slice (padded, start, end, plane)
      inner_size = Shape (inner)
      missing = Sub (input_size, inner_size)
      no_begin = Constant <value_ints = [0, 0, 0, 0]> ()
      to_add = Concat <axis = 0> (no_begin, missing)
      by_transposition_y = Pad (inner, to_add)
    },
    else_branch = by_convolution () => (by_convolution_y) {
      group_scalar = Constant <value_int: int = @group> ()
      groups = Reshape (group_scalar, one)
      rest = Constant <value_ints = [-1]> ()
      filters = Slice (filter_shape, zero, one)
      channels = Slice (filter_shape, one, two)
      group_filters = Div (filters, groups)
      split_shape = Concat <axis = 0> (groups, group_filters, channels, window)
      split = Reshape (filter, split_shape)
      exchanged = Transpose <perm = [0, 2, 1, 3, 4]> (split)
      kernels_shape = Concat <axis = 0> (rest, group_filters, window)
      kernels = Reshape (exchanged, kernels_shape)
      last = Constant <value_ints = [-1, -1]> ()
      before_first = Constant <value_ints = [-9223372036854775807, -9223372036854775807]> ()
      backwards = Constant <value_ints = [-1, -1]> ()
      no_frame = Constant <value_ints = [0, 0]> ()
      frame = Concat <axis = 0> (no_frame, frame_end, no_frame, frame_begin)
      turned = Slice (out_backprop, last, before_first, plane, backwards)
      framed = Pad (turned, frame)
      turned_y = Conv <dilations: ints = @dilations, group: int = @group> (framed, kernels)
      by_convolution_y = Slice (turned_y, last, before_first, plane, backwards)
    }
  >
}
"""

# dW, in float32, two ways to the same sums.
# By taps: the elements of X that meet W[:, :, kh, kw] are one strided slice of the padded X; channels last,
#   dW[:, :, kh, kw] = dY [M, N oH oW] x slice [N oH oW, C],
#   a matrix product for each group, fast where C is wide.
# By convolution, for a small C: X with N and C exchanged, convolved with dY with N and M exchanged, strides
#   and dilations exchanged too, is dW with its first two axes exchanged (and a margin from leftover rows).
CONV_FILTER_GRAD_BODY = """
<domain: "npu", opset_import: ["" : 18]>
Conv2DBackpropFilter <strides, pads, dilations, group> (x, filter_size, out_backprop) => (y)
{
  image = Cast <to = 1> (x)
  gradient = Cast <to = 1> (out_backprop)
  zero = Constant <value_ints = [0]> ()
  one = Constant <value_ints = [1]> ()
  two = Constant <value_ints = [2]> ()
  four = Constant <value_ints = [4]> ()
  rest = Constant <value_ints = [-1]> ()
  group_scalar = Constant <value_int: int = @group> ()
  groups = Reshape (group_scalar, one)
  channels = Slice (filter_size, one, two)
  window = Slice (filter_size, two, four)
  taps = ReduceProd <keepdims = 0> (window)
  taps_1d = Reshape (taps, one)
  x_shape = Shape (x)
  x_plane = Slice (x_shape, two, four)
  few_channels = Less (channels, taps_1d)
  y = If (few_channels) <
    then_branch = by_convolution () => (by_convolution_y) {
      grouped_shape = Concat <axis = 0> (zero, groups, rest, x_plane)
      x_grouped = Reshape (image, grouped_shape)
      x_turned = Transpose <perm = [2, 1, 0, 3, 4]> (x_grouped)
      image_shape = Concat <axis = 0> (zero, rest, x_plane)
      images = Reshape (x_turned, image_shape)
      kernels = Transpose <perm = [1, 0, 2, 3]> (gradient)
      wide = Conv <
        strides: ints = @dilations, dilations: ints = @strides, pads: ints = @pads, group: int = @group
      > (images, kernels)
      plane = Constant <value_ints = [2, 3]> ()
      origin = Constant <value_ints = [0, 0]> ()
      turned = Slice (wide, origin, window, plane)
      by_convolution_y = Transpose <perm = [1, 0, 2, 3]> (turned)
    },
    else_branch = by_taps () => (by_taps_y) {
      pads = Constant <value_ints: ints = @pads> ()
      strides = Constant <value_ints: ints = @strides> ()
      dilations = Constant <value_ints: ints = @dilations> ()
      plane = Constant <value_ints = [2, 3]> ()
      no_pad = Constant <value_ints = [0, 0]> ()
      begin = Slice (pads, zero, two)
      finish = Slice (pads, two, four)
      all_pads = Concat <axis = 0> (no_pad, begin, no_pad, finish)
      x_padded = Pad (image, all_pads)
      padded_shape = Shape (x_padded)
      padded_plane = Slice (padded_shape, two, four)
      split_shape = Concat <axis = 0> (zero, groups, channels, padded_plane)
      x_split = Reshape (x_padded, split_shape)
      x_last = Transpose <perm = [1, 0, 3, 4, 2]> (x_split)
      slice_shape = Concat <axis = 0> (groups, rest, channels)
      filters = Slice (filter_size, zero, one)
      group_filters = Div (filters, groups)
      out_shape = Shape (gradient)
      out_plane = Slice (out_shape, two, four)
      out_split_shape = Concat <axis = 0> (zero, groups, group_filters, out_plane)
      out_split = Reshape (gradient, out_split_shape)
      out_turned = Transpose <perm = [1, 2, 0, 3, 4]> (out_split)
      rows_shape = Concat <axis = 0> (groups, group_filters, rest)
      rows = Reshape (out_turned, rows_shape)
      steps = Sub (out_plane, one)
      last_step = Mul (steps, strides)
      extent = Add (last_step, one)
      three = Constant <value_ints = [3]> ()
      width = Slice (filter_size, three, four)
      go_on = Constant <value = bool {1}> ()
      products = Loop (taps, go_on) <
        body = tap (int64 number, bool more_in) => (bool more, product) {
          more = Identity (more_in)
          number_1d = Reshape (number, one)
          row = Div (number_1d, width)
          column = Mod (number_1d, width)
          position = Concat <axis = 0> (row, column)
          from = Mul (position, dilations)
          to = Add (from, extent)
          under = Slice (x_last, from, to, plane, strides)
          under_rows = Reshape (under, slice_shape)
          product = MatMul (rows, under_rows)
        }
      >
      products_shape = Concat <axis = 0> (taps_1d, groups, group_filters, channels)
      stacked = Reshape (products, products_shape)
      taps_last = Transpose <perm = [1, 2, 3, 0]> (stacked)
      by_taps_y = Reshape (taps_last, filter_size)
    }
  >
}
"""

_BOTH = """
  x_size = Shape (X)
  dX = npu.Conv2DBackpropInput <
    strides: ints = @strides, pads: ints = @pads, dilations: ints = @dilations, group: int = @group
  > (x_size, W, dY)
  w_size = Shape (W)
  dW = npu.Conv2DBackpropFilter <
    strides: ints = @strides, pads: ints = @pads, dilations: ints = @dilations, group: int = @group
  > (X, w_size, dY)
"""
CONV_GRAD_WITHOUT_BIAS_BODY = f"""
<domain: "npu", opset_import: ["" : 18, "npu" : 1]>
ConvGradWithoutBias <strides, pads, dilations, group> (dY, X, W) => (dX, dW)
{{
  {_BOTH}
}}
"""
CONV_GRAD_BODY = f"""
<domain: "npu", opset_import: ["" : 18, "npu" : 1]>
ConvGrad <strides, pads, dilations, group> (dY, X, W) => (dX, dW, dB)
{{
  {_BOTH}
  all_but_channels = Constant <value_ints = [0, 2, 3]> ()
  dB = ReduceSum <keepdims = 0> (dY, all_but_channels)
}}
"""
