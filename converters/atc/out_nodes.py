"""--out_nodes: its syntax, and what it does to a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto


@dataclass(frozen=True)
class OutNode:
    """Output number `index` of the node `node`."""

    node: str
    index: int


@dataclass(frozen=True)
class OutTensor:
    """The tensor `name`, which a node gives."""

    name: str


Out: TypeAlias = OutNode | OutTensor


def parse_out_nodes(text: str) -> tuple[Out, ...]:
    """The entries of `node:0;other:1`, or of `tensor;other`, as atc takes either for ONNX models.

    Raises MaxPoolGradError (E10001) for a malformed entry, and where both forms are mixed.
    """
    parts = [part for part in map(str.strip, text.split(";")) if part]
    tensors = [part for part in parts if ":" not in part]
    if tensors and len(tensors) < len(parts):
        sentence = f"--out_nodes has {quoted(tensors[0])} among entries with an index"
        raise MaxPoolGradError(
            f'{sentence}; name all by node, "node:0;other:1", or all by tensor, "tensor;other"', code="E10001"
        )
    if tensors:
        return tuple(map(OutTensor, tensors))
    return tuple(parse_out_node(part, "out_nodes", "node:0;other:1") for part in parts)


def parse_out_node(text: str, flag: str, form: str) -> OutNode:
    """One entry. Raises MaxPoolGradError (E10001) where it is malformed; `flag` and `form` tell of whose."""
    node, colon, index = text.rpartition(":")
    if not colon or not node or not index.isdecimal():
        sentence = f'--{flag} has the entry {quoted(text)}; write it like "{form}"'
        raise MaxPoolGradError(sentence, code="E10001")
    return OutNode(node, int(index))


def cut_to_out_nodes(model: ModelProto, out_nodes: tuple[Out, ...]) -> None:
    """Let the model return these nodes' outputs, in place, without what they do not need.

    Raises MaxPoolGradError for a node or tensor that the model does not have (E11017) or an output that the
    node does not have (E11016).
    """
    if not out_nodes:
        return
    graph = model.graph
    outputs = [_value_name(graph, out) for out in out_nodes]
    infos = [_value_info(graph, name) for name in outputs]
    del graph.output[:]
    graph.output.extend(infos)
    _keep_needed(graph, set(outputs))


def _value_name(graph: GraphProto, out: Out) -> str:
    if isinstance(out, OutTensor):
        if not any(out.name in node.output for node in graph.node):
            sentence = f"--out_nodes names the tensor {quoted(out.name)}, which no node gives"
            raise MaxPoolGradError(f"{sentence}; an output of a node is written node:0", code="E11017")
        return out.name
    node = next((node for node in graph.node if node.name == out.node), None)
    if node is None:
        raise MaxPoolGradError(
            f"--out_nodes names {quoted(out.node)}; the model has no such node", code="E11017"
        )
    if out.index >= len(node.output) or not node.output[out.index]:
        sentence = (
            f"--out_nodes asks for output {out.index} of {quoted(out.node)}, which has {len(node.output)}"
        )
        raise MaxPoolGradError(sentence, code="E11016")
    return str(node.output[out.index])


def _value_info(graph: GraphProto, name: str) -> ValueInfoProto:
    from onnx import ValueInfoProto

    known = next((info for info in (*graph.output, *graph.value_info) if info.name == name), None)
    return known or ValueInfoProto(name=name)


def _keep_needed(graph: GraphProto, needed: set[str]) -> None:
    """Drop the nodes, inputs and initializers that the values `needed` do not depend on."""
    for index in reversed(range(len(graph.node))):
        node = graph.node[index]
        if needed.intersection(node.output):
            needed |= set(node.input) | _captured(node)
        else:
            del graph.node[index]
    for values in (graph.input, graph.initializer):
        for index in reversed(range(len(values))):
            if values[index].name not in needed:
                del values[index]


def _captured(node: NodeProto) -> set[str]:
    """Every name that the bodies of a node read: a few too many do no harm."""
    bodies = [attribute.g for attribute in node.attribute if attribute.HasField("g")]
    return {name for body in bodies for inner in body.node for name in (*inner.input, *_captured(inner))}
