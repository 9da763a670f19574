"""The operator itself."""

from __future__ import annotations

from maxpoolgrad_onnx.contract import (
    ATTRIBUTES,
    DOMAIN,
    OP_TYPE,
    OP_TYPE_ALIAS,
    PoolAttributes,
    check_dtypes,
    check_inputs_and_outputs,
    check_shapes,
    node_subject,
)

from ...ge_ir import Shape
from ..graph_builder import Value
from ..onnx_node import OnnxNode
from ..registry import rule


@rule(OP_TYPE, OP_TYPE_ALIAS, domain=DOMAIN)
def max_pool_v3_grad(node: OnnxNode) -> None:
    """npu::MaxPoolV3Grad (or its alias) becomes GE's MaxPoolV3Grad: same inputs, all seven attributes
    written.

    Attributes keep their values; the two that ONNX writes as 0 or 1 become bools. Everything that the
    operator refuses and that the shapes known now show is refused here.
    """
    subject = node_subject(node.proto.name)
    check_inputs_and_outputs(subject, node.proto.input, node.proto.output)
    attributes = PoolAttributes.from_node(node.proto)
    inputs = [node.input(i) for i in range(3)]
    check_dtypes(subject, *(_dtype_name(value) for value in inputs))
    check_shapes(subject, attributes, *(_contract_shape(value.shape) for value in inputs))
    kinds = {name: kind for name, kind, _, _ in ATTRIBUTES}
    values = {
        name: bool(value) if kinds[name] == "BOOL" else value for name, value in attributes.as_dict().items()
    }
    node.add("MaxPoolV3Grad", inputs, values)


def _dtype_name(value: Value) -> str:
    return value.dtype.numpy.name if value.dtype.numpy is not None else value.dtype.label


def _contract_shape(shape: Shape | None) -> list[int | None] | None:
    return None if shape is None else [None if size < 0 else size for size in shape]
