"""One generic ONNX function body for MaxPoolV3Grad, in standard operators: a model runs without our library.

The body serves all attribute values, dynamic shapes and both dtypes, and gives the operator's own bits:

- tensors become [outer, H, W, inner] (outer = N C and inner = 1 in NCHW; outer = N and inner = C in NHWC),
  float32;
- the search visits the taps of the window from the last to the first; a later hit overwrites, so the first
  position wins; positions outside the input read a NaN row or column, which equals nothing;
- the sums visit the taps column by column from the right, upwards within a column: for any one position that
  is the order of window columns from left to right and of windows from top to bottom. At one tap a position
  belongs to at most one window, so every float32 addition is an elementwise Add and its order is the
  operator's;
- strings become numbers through TfIdfVectorizer, which counts words (Equal takes no strings before opset 19).
"""

from __future__ import annotations

import onnx
import onnx.helper
import onnx.parser

from .contract import (
    ATTRIBUTES,
    DEFAULTS,
    DOMAIN,
    INPUT_NAMES,
    OP_TYPE,
    OPSET_VERSION,
    PoolAttributes,
    is_max_pool_v3_grad,
)
from .errors import MaxPoolGradError
from .model_files import ModelOrPath, as_model
from .nodes import all_nodes, nested
from .opsets import NEWEST_OPSET, default_opset

_OLDEST_OPSET = 15  # CastLike; the body's operators take the same arguments in every later opset
_OLDEST_IR = 8  # functions in a model

_BODY = """
<domain: "{domain}", opset_import: ["" : {opset}]>
{name} <{attributes}> ({inputs}) => (out_grad)
{{
  ksize_all = Constant <value_ints: ints = @ksize> ()
  strides_all = Constant <value_ints: ints = @strides> ()
  pads_all = Constant <value_ints: ints = @pads> ()
  padding_mode_word = Constant <value_string: string = @padding_mode> ()
  data_format_word = Constant <value_string: string = @data_format> ()
  zero = Constant <value_int = 0> ()
  one = Constant <value_int = 1> ()
  two = Constant <value_int = 2> ()
  first = Constant <value_ints = [0]> ()
  second = Constant <value_ints = [1]> ()
  third = Constant <value_ints = [2]> ()

  padding_mode_list = Reshape (padding_mode_word, second)
  data_format_list = Reshape (data_format_word, second)
  words = Concat <axis = 0> (padding_mode_list, data_format_list)
  counts = TfIdfVectorizer <mode = "TF", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0,
                            ngram_counts = [0], ngram_indexes = [0, 1, 2],
                            pool_strings = ["SAME", "VALID", "NHWC"]> (words)
  flags = Cast <to = 7> (counts)
  is_same = Gather (flags, first)
  is_valid = Gather (flags, second)
  is_nhwc = Gather (flags, third)
  is_nchw = Sub (one, is_nhwc)
  not_same = Sub (one, is_same)
  is_calculated = Sub (not_same, is_valid)

  nchw_axes = Constant <value_ints = [2, 3]> ()
  axes = Sub (nchw_axes, is_nhwc)
  input_shape = Shape (orig_input)
  output_shape = Shape (orig_output)
  size = Gather (input_shape, axes)
  windows = Gather (output_shape, axes)
  ksize_hw = Gather (ksize_all, axes)
  strides_hw = Gather (strides_all, axes)

  begin_pads = Constant <value_ints = [0, 2]> ()
  given_begin = Gather (pads_all, begin_pads)
  stride_less_one = Sub (strides_hw, one)
  rounded_up = Add (size, stride_less_one)
  same_windows = Div (rounded_up, strides_hw)
  same_last = Sub (same_windows, one)
  same_last_start = Mul (same_last, strides_hw)
  same_end = Add (same_last_start, ksize_hw)
  same_missing = Sub (same_end, size)
  same_total = Max (same_missing, zero)
  same_begin = Div (same_total, two)
  calculated_part = Mul (is_calculated, given_begin)
  same_part = Mul (is_same, same_begin)
  begin = Add (calculated_part, same_part)

  channels_in_nhwc = Mul (is_nhwc, two)
  channels_axis = Add (channels_in_nhwc, one)
  batch = Gather (input_shape, first)
  channels = Gather (input_shape, channels_axis)
  channels_nchw = Mul (is_nchw, channels)
  channels_nhwc = Mul (is_nhwc, channels)
  planes = Add (channels_nchw, is_nhwc)
  outer = Mul (batch, planes)
  inner = Add (channels_nhwc, is_nchw)
  input_layout = Concat <axis = 0> (outer, size, inner)
  output_layout = Concat <axis = 0> (outer, windows, inner)
  x_float = Cast <to = 1> (orig_input)
  y_float = Cast <to = 1> (orig_output)
  grad_float = Cast <to = 1> (grad)
  x = Reshape <allowzero = 1> (x_float, input_layout)
  y = Reshape <allowzero = 1> (y_float, output_layout)
  g = Reshape <allowzero = 1> (grad_float, output_layout)

  height = Gather (size, zero)
  width = Gather (size, one)
  rows_out = Gather (windows, zero)
  columns_out = Gather (windows, one)
  kernel_h = Gather (ksize_hw, zero)
  kernel_w = Gather (ksize_hw, one)
  stride_h = Gather (strides_hw, zero)
  stride_w = Gather (strides_hw, one)
  begin_h = Gather (begin, zero)
  begin_w = Gather (begin, one)
  taps = Mul (kernel_h, kernel_w)
  last_tap = Sub (taps, one)
  last_row = Sub (kernel_h, one)
  last_column = Sub (kernel_w, one)
  true = Constant <value = bool {{1}}> ()
  zero_float = Constant <value_float = 0.0> ()
  nan = Constant <value_float = nan> ()
  minus_one = Constant <value_int = -1> ()
  one_more = Constant <value = int64[8] {{0, 0, 0, 0, 0, 1, 1, 0}}> ()

  window_rows = Range (zero, rows_out, one)
  window_columns = Range (zero, columns_out, one)
  window_rows_scaled = Mul (window_rows, stride_h)
  window_columns_scaled = Mul (window_columns, stride_w)
  window_tops = Sub (window_rows_scaled, begin_h)
  window_lefts = Sub (window_columns_scaled, begin_w)
  x_framed = Pad (x, one_more, nan)
  nobody = Expand (minus_one, output_layout)
  winner = Loop (taps, true, nobody) <body = search
    (int64 search_step, bool search_go, int64[] winner_so_far) => (bool search_go_on, int64[] winner_now)
    {{
      search_go_on = Identity (search_go)
      search_tap = Sub (last_tap, search_step)
      search_row = Div (search_tap, kernel_w)
      search_row_start = Mul (search_row, kernel_w)
      search_column = Sub (search_tap, search_row_start)
      row_at = Add (window_tops, search_row)
      column_at = Add (window_lefts, search_column)
      above = Less (row_at, zero)
      below = GreaterOrEqual (row_at, height)
      left_of = Less (column_at, zero)
      right_of = GreaterOrEqual (column_at, width)
      row_outside = Or (above, below)
      column_outside = Or (left_of, right_of)
      row_index = Where (row_outside, height, row_at)
      column_index = Where (column_outside, width, column_at)
      x_rows = Gather <axis = 1> (x_framed, row_index)
      x_tap = Gather <axis = 2> (x_rows, column_index)
      hit = Equal (x_tap, y)
      winner_now = Where (hit, search_tap, winner_so_far)
    }}>

  input_rows = Range (zero, height, one)
  input_columns = Range (zero, width, one)
  input_rows_padded = Add (input_rows, begin_h)
  input_columns_padded = Add (input_columns, begin_w)
  winner_framed = Pad (winner, one_more, minus_one)
  g_framed = Pad (g, one_more, zero_float)
  zeros = Expand (zero_float, input_layout)
  last_column_sum, total = Loop (taps, true, zeros, zeros) <body = sum
    (int64 sum_step, bool sum_go, float[] column_sum, float[] total_so_far)
      => (bool sum_go_on, float[] column_sum_next, float[] total_now)
    {{
      sum_go_on = Identity (sum_go)
      columns_done = Div (sum_step, kernel_h)
      columns_done_start = Mul (columns_done, kernel_h)
      rows_done = Sub (sum_step, columns_done_start)
      sum_column = Sub (last_column, columns_done)
      sum_row = Sub (last_row, rows_done)
      sum_row_start = Mul (sum_row, kernel_w)
      sum_tap = Add (sum_row_start, sum_column)
      top_at = Sub (input_rows_padded, sum_row)
      left_at = Sub (input_columns_padded, sum_column)
      window_row = Div (top_at, stride_h)
      window_column = Div (left_at, stride_w)
      window_row_top = Mul (window_row, stride_h)
      window_column_left = Mul (window_column, stride_w)
      row_starts = Equal (window_row_top, top_at)
      column_starts = Equal (window_column_left, left_at)
      row_not_before = GreaterOrEqual (top_at, zero)
      column_not_before = GreaterOrEqual (left_at, zero)
      row_not_after = Less (window_row, rows_out)
      column_not_after = Less (window_column, columns_out)
      row_within = And (row_not_before, row_not_after)
      column_within = And (column_not_before, column_not_after)
      row_has_window = And (row_starts, row_within)
      column_has_window = And (column_starts, column_within)
      window_row_index = Where (row_has_window, window_row, rows_out)
      window_column_index = Where (column_has_window, window_column, columns_out)
      winner_rows = Gather <axis = 1> (winner_framed, window_row_index)
      winner_here = Gather <axis = 2> (winner_rows, window_column_index)
      g_rows = Gather <axis = 1> (g_framed, window_row_index)
      g_here = Gather <axis = 2> (g_rows, window_column_index)
      is_winner = Equal (winner_here, sum_tap)
      contribution = Where (is_winner, g_here, zero_float)
      column_sum_now = Add (column_sum, contribution)
      column_ends = Equal (sum_row, zero)
      total_with_column = Add (total_so_far, column_sum_now)
      total_now = Where (column_ends, total_with_column, total_so_far)
      column_sum_next = Where (column_ends, zero_float, column_sum_now)
    }}>
  out_grad_float = Reshape <allowzero = 1> (total, input_shape)
  out_grad = CastLike (out_grad_float, orig_input)
}}
"""


def embed_function(model: ModelOrPath) -> onnx.ModelProto:
    """A copy of the model that ONNX Runtime runs without our library: it carries the function body.

    One body serves every MaxPoolV3Grad of the model (a second one the other spelling, where it is used). ONNX
    functions have no defaults that old runtimes know, so attributes that a node leaves out are written on it.
    Raises MaxPoolGradError where a node's attributes are refused, the model's opset is older than 15, or
    `model` is a path that cannot be read.
    """
    result = onnx.ModelProto()
    result.CopyFrom(as_model(model))
    poolings = [node for node in all_nodes(result) if is_max_pool_v3_grad(node)]
    if not poolings:
        return result
    opset = _opset(result)
    for node in poolings:
        _write_defaults(node)
    spellings = sorted({node.op_type for node in poolings})
    others = [f for f in result.functions if f.domain != DOMAIN or f.name not in spellings]
    del result.functions[:]
    result.functions.extend([*others, *(function_body(name, opset) for name in spellings)])
    result.ir_version = max(result.ir_version, _OLDEST_IR)
    return result


def function_body(name: str, opset: int) -> onnx.FunctionProto:
    """The body under one spelling of the operator, for models of that opset (15 or newer)."""
    attributes = ", ".join(name for name, _, _, _ in ATTRIBUTES)
    function = onnx.parser.parse_function(
        _BODY.format(
            domain=DOMAIN, name=name, opset=opset, attributes=attributes, inputs=", ".join(INPUT_NAMES)
        )
    )
    # ONNX Runtime 1.18 to 1.21 name fused nodes after these, and refuse a model that has a name twice.
    for node in nested(function.node):
        node.name = node.output[0]
    return function


def _opset(model: onnx.ModelProto) -> int:
    """The model's opset; the two imports that the body needs are added where they are missing."""
    opset = default_opset(model)
    if opset is None:
        opset = NEWEST_OPSET
        model.opset_import.append(onnx.helper.make_opsetid("", opset))
    if opset < _OLDEST_OPSET:
        raise MaxPoolGradError(
            f"the model imports opset {opset}; the function body of {OP_TYPE} needs {_OLDEST_OPSET} or "
            "newer: convert the model with onnx.version_converter"
        )
    if all(entry.domain != DOMAIN for entry in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(DOMAIN, OPSET_VERSION))
    return opset


def _write_defaults(node: onnx.NodeProto) -> None:
    if all(not attribute.ref_attr_name for attribute in node.attribute):
        PoolAttributes.from_node(node)
    written = {attribute.name for attribute in node.attribute}
    for name, default in DEFAULTS.items():
        if name not in written:
            node.attribute.append(onnx.helper.make_attribute(name, default))
