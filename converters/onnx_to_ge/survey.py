"""What would become of each node of an ONNX model, all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onnx import ModelProto, NodeProto

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.mapped_model import MappedModel
from maxpoolgrad_onnx.opsets import usual_domain

from ..ge_ir import Edge, Node
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


@dataclass(frozen=True)
class Survey:
    """The outcome for each node, in order, and the nodes of GE that came of those that are converted."""

    outcomes: Sequence[Outcome]
    converted: Sequence[Node]


def survey(model: MappedModel) -> Survey:
    """Convert each node by itself: one that is refused does not keep the others from it.

    Raises MaxPoolGradError where the model as a whole cannot be converted, whatever its nodes are.
    """
    source = normalise(_importing_all(model.proto), with_rules_only=False)
    graph = GraphBuilder("survey")
    values = starting_values(source, model.weights, graph)
    outcomes = [_attempt(node, source, graph, values) for node in source.graph.node]
    return Survey(outcomes, graph.finish([]).nodes[:-1])


def _importing_all(model: ModelProto) -> ModelProto:
    """A copy that imports every domain of its nodes: without that, onnx infers nothing at all."""
    copy = ModelProto()
    copy.CopyFrom(model)
    known = {usual_domain(entry.domain) for entry in copy.opset_import}
    for domain in {usual_domain(node.domain) for node in copy.graph.node} - known:
        copy.opset_import.add(domain=domain, version=1)
    return copy


def _attempt(node: NodeProto, source: Source, graph: GraphBuilder, values: dict[str, Value]) -> Outcome:
    is_unknown = (usual_domain(node.domain), node.op_type) not in RULES
    try:
        if is_unknown:
            where = node.domain or "ai.onnx"
            raise MaxPoolGradError(f"no rule is registered for {node.op_type} of domain {where}")
        convert_node(node, source, graph, values)
    except MaxPoolGradError as error:
        for name in node.output:
            if name in source.types:
                values.setdefault(name, Value(Edge(graph.unique_name(name)), *source.types[name]))
        return Outcome(node, str(error), is_unknown)
    return Outcome(node)
