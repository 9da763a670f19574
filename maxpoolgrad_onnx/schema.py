"""The operator's schema for onnx's registry: with it, onnx's checker and shape inference know the operator.

Nothing is registered on import: whether a model passes the checker must not depend on what was imported.
"""

from __future__ import annotations

import atexit
import re
from typing import Any

import onnx
import onnx.defs
import onnx.helper
from onnx.defs import OpSchema

from .contract import (
    ATTRIBUTES,
    DOMAIN,
    DTYPES,
    INPUT_NAMES,
    OP_TYPE,
    OP_TYPE_ALIAS,
    OPSET_VERSION,
    OUTPUT_NAME,
)
from .node_types import infer_node

_ATTRIBUTE_TYPES = {
    "INTS": OpSchema.AttrType.INTS,
    "STRING": OpSchema.AttrType.STRING,
    "BOOL": OpSchema.AttrType.INT,  # ONNX has no bool attribute
}
_TENSOR_TYPES = {"float16": "tensor(float16)", "float32": "tensor(float)"}
_DOC = """Gradient of max pooling. Each window's gradient is added to the first position of orig_input, row by
row, that equals the window's orig_output; sums are made in float32."""


def register_schema() -> None:
    """Make the operator known to onnx, in both spellings, with type and shape inference; twice is once.

    Afterwards `onnx.checker.check_model` checks the nodes' attributes and inputs, and with full_check, like
    `onnx.shape_inference.infer_shapes`, raises MaxPoolGradError for a node that the operator refuses.
    """
    for name in (OP_TYPE, OP_TYPE_ALIAS):
        if not onnx.defs.has(name, domain=DOMAIN):
            schema = operator_schema(name)
            schema.set_type_and_shape_inference_function(_infer)
            onnx.defs.register_schema(schema)
            # onnx up to 1.21 hangs or crashes at exit where a schema still holds a Python function.
            atexit.register(onnx.defs.deregister_schema, name, OPSET_VERSION, DOMAIN)


def operator_schema(name: str = OP_TYPE) -> OpSchema:
    """The operator's schema under one of its spellings, without inference and registered nowhere."""
    return OpSchema(
        name,
        DOMAIN,
        OPSET_VERSION,
        doc=_DOC,
        inputs=[OpSchema.FormalParameter(value, "T") for value in INPUT_NAMES],
        outputs=[OpSchema.FormalParameter(OUTPUT_NAME, "T")],
        type_constraints=[("T", [_TENSOR_TYPES[dtype] for dtype in DTYPES], "One type for all tensors.")],
        attributes=[
            OpSchema.Attribute(attribute, _ATTRIBUTE_TYPES[kind], required=True)
            if required
            else OpSchema.Attribute(attribute, onnx.helper.make_attribute(attribute, default))
            for attribute, kind, required, default in ATTRIBUTES
        ],
    )


def _infer(context: Any) -> None:
    """Check a node and set its output's type; `context` is onnx's InferenceContext."""
    name = re.fullmatch(r".*? \((.*)\)", context.get_display_name(), re.DOTALL)
    node = onnx.NodeProto(op_type=OP_TYPE, domain=DOMAIN, name=name[1] if name else "")
    node.input.extend(f"input {index}" for index in range(context.get_num_inputs()))
    node.output.extend(f"output {index}" for index in range(context.get_num_outputs()))
    found = [context.get_attribute(attribute) for attribute, _, _, _ in ATTRIBUTES]
    node.attribute.extend(attribute for attribute in found if attribute is not None)
    inputs = [context.get_input_type(index) for index in range(len(node.input))]
    context.set_output_type(0, infer_node(node, inputs))
