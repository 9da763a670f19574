"""Attribute names that carry structure: the encoder writes them, the decoder reads them back."""

# On an operator: the names of its ports and the ports' numbers, two lists side by side.
INPUT_NAMES = ("_input_name_key", "_input_name_value")
OUTPUT_NAMES = ("_output_name_key", "_output_name_value")

# On an operator: GE itself writes these as lists without a val_type, and reads them from the raw message.
UNTYPED_LISTS = frozenset(
    {
        "_opt_input",
        "_ir_attr_names",
        "_ir_inputs_key",
        "_ir_inputs_value",
        "_ir_outputs_key",
        "_ir_outputs_value",
        "_src_out_peer_index_for_ge_txt_load",
    }
)

# On a tensor description.
FORMAT = "format_for_int"
ORIGIN_FORMAT = "origin_format"
ORIGIN_FORMAT_NUMBER = "origin_format_for_int"
ORIGIN_SHAPE = "origin_shape"
ORIGIN_SHAPE_SET = "origin_shape_initialized"
ORIGIN_DTYPE = "origin_data_type"
DESC_KEYS = frozenset(
    {FORMAT, ORIGIN_FORMAT, ORIGIN_FORMAT_NUMBER, ORIGIN_SHAPE, ORIGIN_SHAPE_SET, ORIGIN_DTYPE}
)

# On operators of these types.
DATA_TYPES = frozenset({"Data", "RefData"})
DATA_INDEX = "index"
DIM_NAMES = "_dim_names"
"""Of a Data, ours: the names of its unknown sizes in ONNX, "" for a known one."""
ONNX_NAME = "_onnx_name"
"""Of a Data, ours: the name of the input in ONNX, where a node cannot have it."""
ONNX_FORM = "_onnx_form"
"""Of an operator, ours: the form that it had in ONNX, where several give the same nodes."""
ONNX_OPSET = "_onnx_opset"
"""Of a model, ours: the opset above 18 that the way back writes, where the host computes otherwise in 18."""
CONST_TYPES = frozenset({"Const", "Constant"})
CONST_VALUE = "value"
NET_OUTPUT = "NetOutput"

UNKNOWN_RANK = (-2,)
"""How a file writes the shape of a tensor of unknown rank."""
