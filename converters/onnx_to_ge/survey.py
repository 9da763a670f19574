"""What would become of each node of an ONNX model, all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onnx import NodeProto

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.mapped_model import MappedModel
from maxpoolgrad_onnx.opsets import usual_domain

from ..ge_ir import Edge
from .convert import convert_node, starting_values
from .graph_builder import GraphBuilder, Value
from .normalise import Source, normalise
from .registry import RULES


@dataclass(frozen=True)
class Outcome:
    """A node, and why it is not converted; None where it is. `is_unknown`: no rule is for its operator."""

    node: NodeProto
    refusal: str | None = None
    is_unknown: bool = False


def survey(model: MappedModel) -> Sequence[Outcome]:
    """The outcome for each node, in order.

    With an operator among them that has no rule, nothing is inferred, and the others count as converted.
    Raises MaxPoolGradError where the model as a whole cannot be converted, whatever its nodes are.
    """
    unknown = [_without_rule(node) for node in model.proto.graph.node]
    functions = {(function.domain, function.name) for function in model.proto.functions}
    if any(
        outcome.is_unknown and (outcome.node.domain, outcome.node.op_type) not in functions
        for outcome in unknown
    ):
        return unknown
    source = normalise(model.proto)
    graph = GraphBuilder("survey")
    values = starting_values(source, model.weights, graph)
    return [_attempt(node, source, graph, values) for node in source.graph.node]


def _without_rule(node: NodeProto) -> Outcome:
    if (usual_domain(node.domain), node.op_type) in RULES:
        return Outcome(node)
    return Outcome(
        node, f"no rule is registered for {node.op_type} of domain {node.domain or 'ai.onnx'}", True
    )


def _attempt(node: NodeProto, source: Source, graph: GraphBuilder, values: dict[str, Value]) -> Outcome:
    try:
        convert_node(node, source, graph, values)
    except MaxPoolGradError as error:
        for name in node.output:
            if name in source.types:
                values.setdefault(name, Value(Edge(graph.unique_name(name)), *source.types[name]))
        return Outcome(node, str(error))
    return Outcome(node)
