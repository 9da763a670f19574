"""An ONNX model as the rules want it: one opset in range, functions without a rule inlined, every type
inferred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import onnx
import onnx.inliner
from onnx import GraphProto, ModelProto, ValueInfoProto

from maxpoolgrad_onnx.codes import INNER_ERROR
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.opsets import NEWEST_OPSET, OLDEST_OPSET, usual_domain
from maxpoolgrad_onnx.shapes import infer_shapes
from maxpoolgrad_onnx.values import shape_of, typed_values

from ..ge_ir import DataType
from .onnx_node import TypeOf
from .registry import RULES, known_operators


@dataclass(frozen=True)
class Source:
    """What conversion starts from."""

    graph: GraphProto
    opsets: Mapping[str, int]
    types: Mapping[str, TypeOf]


def normalise(model: ModelProto) -> Source:
    """Check the model as a whole and infer its types.

    Raises MaxPoolGradError: E16004 no graph, E16001 no output, E16002 an opset out of range or operators
    without a rule.
    """
    if not model.HasField("graph"):
        raise MaxPoolGradError("the model has no graph; export it again", code="E16004")
    if not model.graph.output:
        raise MaxPoolGradError(
            f"the graph {quoted(model.graph.name)} has no output; export it again", code="E16001"
        )
    opsets = _opsets(model)
    inlined = _inlined(model)
    _check_operators(inlined, opsets)
    typed = infer_shapes(inlined)
    return Source(typed.graph, opsets, _types(typed.graph))


def _opsets(model: ModelProto) -> dict[str, int]:
    opsets = {usual_domain(entry.domain): entry.version for entry in model.opset_import}
    found = opsets.get("")
    if found is None:
        raise MaxPoolGradError("the model imports no opset of ai.onnx; export it again", code=INNER_ERROR)
    if not OLDEST_OPSET <= found <= NEWEST_OPSET:
        raise MaxPoolGradError(
            f"the model's opset is ai.onnx {found}; converted are {OLDEST_OPSET} to {NEWEST_OPSET}: "
            f"export it with opset {NEWEST_OPSET}",
            code="E16002",
        )
    return opsets


def _inlined(model: ModelProto) -> ModelProto:
    """Without the model's own functions, except those that GE has an operator for."""
    if not model.functions:
        return model
    keep = [key for key in ((f.domain, f.name) for f in model.functions) if key in RULES]
    try:
        inlined: ModelProto = onnx.inliner.inline_selected_functions(model, keep, exclude=True)
    except RuntimeError as error:
        raise MaxPoolGradError(
            f"onnx cannot inline the model's functions: {error}; export it again without functions",
            code="E16002",
        ) from error
    return inlined


def _check_operators(model: ModelProto, opsets: Mapping[str, int]) -> None:
    unknown = [node for node in model.graph.node if (usual_domain(node.domain), node.op_type) not in RULES]
    if not unknown:
        return
    first = unknown[0]
    domain = usual_domain(first.domain)
    key = f"{domain or 'ai.onnx'}::{opsets.get(domain, 'not imported')}::{first.op_type}"
    others = sorted({node.op_type for node in unknown} - {first.op_type})
    more = f" (and {', '.join(others)} elsewhere)" if others else ""
    name = quoted(first.name) if first.name else f"that makes {quoted(next(iter(first.output), None))}"
    raise MaxPoolGradError(
        f"{first.op_type} node {name}: no rule is registered for {key}{more}; there are rules for "
        + ", ".join(known_operators()),
        code="E16002",
    )


def _types(graph: GraphProto) -> dict[str, TypeOf]:
    return {info.name: _type(info) for info in typed_values(graph) if info.type.tensor_type.elem_type}


def _type(info: ValueInfoProto) -> TypeOf:
    tensor = info.type.tensor_type
    try:
        dtype = DataType.of(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
    except KeyError:
        number, types = tensor.elem_type, onnx.TensorProto.DataType
        name = types.Name(number) if number in types.values() else f"of the unknown type {number}"
        raise MaxPoolGradError(
            f"the tensor {quoted(info.name)} is {name}, which GE has no data type for; "
            "cast it to a numeric type",
            code="E13014",
        ) from None
    shape = shape_of(info.type)
    return dtype, None if shape is None else tuple(-1 if size is None else size for size in shape)
