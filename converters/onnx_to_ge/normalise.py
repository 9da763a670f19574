"""An ONNX model as the rules want it: of opset 8 to 18, functions without a rule inlined, types inferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import onnx
import onnx.inliner
from onnx import GraphProto, ModelProto, ValueInfoProto

from maxpoolgrad_onnx.codes import INNER_ERROR
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.opsets import NEWEST_IR_VERSION, NEWEST_OPSET, usual_domain
from maxpoolgrad_onnx.shapes import infer_shapes
from maxpoolgrad_onnx.values import shape_of, typed_values

from ..ge_ir import DataType
from .newer_opsets import bring_down, check_range, host_opset
from .onnx_node import TypeOf
from .registry import RULES, known_operators


@dataclass(frozen=True)
class Source:
    """What conversion starts from.

    `read` are the names that nodes and the graph's outputs read, `notices` sentences on what of the model
    CANN's own parser would not read, `host_opset` is the opset that the host runs the model in.
    """

    graph: GraphProto
    opsets: Mapping[str, int]
    types: Mapping[str, TypeOf]
    read: frozenset[str]
    notices: Sequence[str]
    host_opset: int


def normalise(model: ModelProto, *, with_rules_only: bool = True) -> Source:
    """Check the model as a whole, infer its types and bring it down to opset 18 where it is above.

    `with_rules_only`: a model with an operator that has no rule is refused.

    Raises MaxPoolGradError: E16004 no graph, E16001 no output, E16002 an opset out of range, a node that
    opset 18 does not have, or operators without a rule.
    """
    if not model.HasField("graph"):
        raise MaxPoolGradError("the model has no graph; export it again", code="E16004")
    if not model.graph.output:
        raise MaxPoolGradError(
            f"the graph {quoted(model.graph.name)} has no output; export it again", code="E16001"
        )
    opsets = _opsets(model)
    inlined = _inlined(model)
    if with_rules_only:
        _check_operators(inlined, opsets)
    typed = infer_shapes(inlined)
    types = _types(typed.graph)
    opset = opsets[""]
    if opset > NEWEST_OPSET:
        bring_down(typed.graph, opset, types)
        opsets[""] = NEWEST_OPSET
    host = host_opset(typed.graph, opset)
    return Source(typed.graph, opsets, types, _read_names(typed.graph), _notices(model, opset), host)


def _read_names(graph: GraphProto) -> frozenset[str]:
    by_nodes = (name for node in graph.node for name in node.input)
    return frozenset(by_nodes).union(info.name for info in graph.output)


def _notices(model: ModelProto, opset: int) -> list[str]:
    notices = []
    if opset > NEWEST_OPSET:
        notices.append(
            f"the model is of opset {opset} and was brought down to {NEWEST_OPSET}, the newest that CANN's "
            "ONNX parser knows; every node means the same there"
        )
    if model.ir_version > NEWEST_IR_VERSION:
        notices.append(
            f"the model's IR version is {model.ir_version}; CANN's ONNX parser reads up to "
            f"{NEWEST_IR_VERSION}: use the .air with atc, not the .onnx"
        )
    return notices


def _opsets(model: ModelProto) -> dict[str, int]:
    opsets = {usual_domain(entry.domain): entry.version for entry in model.opset_import}
    found = opsets.get("")
    if found is None:
        raise MaxPoolGradError("the model imports no opset of ai.onnx; export it again", code=INNER_ERROR)
    check_range(found)
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
