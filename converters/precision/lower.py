"""float32 -> float16, operator by operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..ge_ir import DataType, GeModel, Graph, Node, TensorDesc
from ..ge_ir.ends import net_outputs
from ..ge_ir.keys import CONST_TYPES
from ..ge_ops.prototype import Port, port_names
from ..ge_ops.prototypes import PROTOTYPES
from .casts import Casts
from .mode import Precision

_WIDE, _NARROW = DataType.FLOAT, DataType.FLOAT16
_WIDE_RESULT = frozenset({"Conv2DBackpropFilter"})
"""What GE's inference gives float32 whatever the inputs are."""


def lower(model: GeModel, precision: Precision) -> GeModel:
    """The model with the operators that the precision lowers in float16, inputs and outputs as before.

    A value that two lowered operators take is rounded once, by one Cast: a pool and its gradient see the same
    numbers, and so the gradient finds every orig_output in its orig_input. Graphs that a node calls stay as
    they are.
    """
    if precision is Precision.ORIGIN:
        return model
    return replace(model, graph=_lowered(model.graph, precision))


def _lowered(graph: Graph, precision: Precision) -> Graph:
    casts = Casts.of(graph)
    for node in graph.nodes:
        casts.add(_with_types(node, precision.lowers(node.type), casts))
    nodes = _without_unused_constants(casts.nodes)
    return replace(graph, nodes=nodes, outputs=net_outputs(Graph("", nodes)) or graph.outputs)


def _with_types(node: Node, is_lowered: bool, casts: Casts) -> Node:
    """The node with its inputs in the types that it takes, and its own outputs in those that it gives."""
    if is_lowered:
        prototype = PROTOTYPES[node.type]
        taken = _narrowed(prototype.inputs, node.input_descs)
        given = dict(node.output_descs)
        if node.type not in _WIDE_RESULT:
            given = _narrowed(prototype.outputs, node.output_descs)
        node = replace(node, input_descs=taken, output_descs=given)
    inputs = [
        None if edge is None else casts.value(edge, desc, desc.dtype)
        for edge, desc in zip(node.inputs, node.input_descs.values(), strict=True)
    ]
    return replace(node, inputs=inputs)


def _narrowed(ports: Sequence[Port], descs: Mapping[str, TensorDesc]) -> dict[str, TensorDesc]:
    """The descriptions with float16 for float32, where the port takes that."""
    allowed = dict(port_names(ports, len(descs)))
    return {
        name: replace(desc, dtype=_NARROW)
        if desc.dtype is _WIDE and _NARROW in (allowed[name].dtypes or (_NARROW,))
        else desc
        for name, desc in descs.items()
    }


def _without_unused_constants(nodes: list[Node]) -> list[Node]:
    """Constants that are taken in another type only are not kept beside it."""
    used = {edge.node for node in nodes for edge in node.inputs if edge is not None}
    unused = {node.name for node in nodes if node.type in CONST_TYPES and node.name not in used}
    return [node for node in nodes if node.name not in unused]
