"""What must hold of a model's graphs before they are written and after they are read.

GE's own loader takes most of this without a word, and then drops or misreads it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from maxpoolgrad_onnx.errors import quoted

from . import keys
from .ends import net_outputs
from .graph import Edge, Graph, Node, Tensor
from .refusal import SAME_NAMES, fail

_Named = TypeVar("_Named", Graph, Node)


def verify(graphs: Sequence[Graph]) -> None:
    """Check a model's graphs, the root first. Raises MaxPoolGradError for the first thing that is wrong."""
    by_name = _unique(graphs, "the model", "graphs")
    for graph in graphs:
        _verify_graph(graph, by_name)
    _verify_data(graphs[0])
    _verify_calls(graphs[0], by_name)


def _unique(items: Iterable[_Named], where: str, what: str) -> dict[str, _Named]:
    found: dict[str, _Named] = {}
    for item in items:
        if not item.name:
            fail(where, f"one of its {what} has no name", "give every one a name of its own")
        if item.name in found:
            fail(where, f"two of its {what} are called {quoted(item.name)}", "rename one", SAME_NAMES)
        found[item.name] = item
    return found


def _verify_graph(graph: Graph, graphs: Mapping[str, Graph]) -> None:
    where = f"graph {quoted(graph.name)}"
    nodes = _unique(graph.nodes, where, "nodes")
    seen: set[str] = set()
    for node in graph.nodes:
        _verify_node(node, nodes, seen)
        seen.add(node.name)
        for name in node.subgraphs:
            if name not in graphs:
                fail(_of(node), f"it calls the graph {quoted(name)}", "the model has none of that name")
    for edge in graph.outputs:
        _verify_edge(edge, nodes, where)
    if net_outputs(graph) not in (None, tuple(graph.outputs)):
        fail(where, "its outputs are not what its NetOutput takes", "both list the same")


def _verify_node(node: Node, nodes: Mapping[str, Node], seen: set[str]) -> None:
    if not node.type:
        fail(_of(node), "it has no type", "give it one")
    ports = len(node.input_descs)
    if len(node.inputs) > ports:
        fail(_of(node), f"it has {len(node.inputs)} inputs", f"it describes {ports} input ports")
    edges = [edge for edge in node.inputs if edge is not None]
    for edge in edges:
        _verify_edge(edge, nodes, _of(node))
    for source in (*node.control_inputs, *(edge.node for edge in edges)):
        if source not in nodes:
            fail(_of(node), f"it waits for the node {quoted(source)}", "the graph has none of that name")
        if source not in seen:
            fail(_of(node), f"it stands before its input {quoted(source)}", "put nodes in topological order")
    if node.type in keys.CONST_TYPES:
        _verify_const(node)


def _verify_edge(edge: Edge, nodes: Mapping[str, Node], where: str) -> None:
    if edge.node not in nodes:
        fail(where, f"it takes from the node {quoted(edge.node)}", "the graph has none of that name")
    outputs = len(nodes[edge.node].output_descs)
    if not 0 <= edge.output < outputs:
        fail(where, f"it takes output {edge.output} of {quoted(edge.node)}", f"that node has {outputs}")


def _verify_const(node: Node) -> None:
    value = node.attrs.get(keys.CONST_VALUE)
    if not isinstance(value, Tensor):
        fail(_of(node), "it has no weights", f"a constant keeps a tensor in {quoted(keys.CONST_VALUE)}")
    desc, data = value.desc, value.data
    if desc.shape is None or -1 in desc.shape:
        fail(_of(node), "the shape of its weights is not known", "a constant needs a full shape")
    if desc.dtype.numpy is not None:
        if (data.dtype, data.shape) != (desc.dtype.numpy, desc.shape):
            found = f"its weights are {data.dtype.name} of shape {list(data.shape)}"
            fail(_of(node), found, f"described are {desc.dtype.numpy.name} of shape {list(desc.shape)}")
    elif desc.dtype.bits:
        need = -(-math.prod(desc.shape) * desc.dtype.bits // 8)
        if data.nbytes != need:
            fail(_of(node), f"it has {data.nbytes} bytes of weights", f"described are {need}")


def _verify_data(graph: Graph) -> None:
    """The attribute index of Data orders the model's inputs."""
    found: dict[int, Node] = {}
    for node in graph.nodes:
        if node.type not in keys.DATA_TYPES:
            continue
        if not node.output_descs:
            fail(_of(node), "it has no output", "a Data node has one, described")
        index = node.attrs.get(keys.DATA_INDEX)
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            fail(
                _of(node),
                f"its {quoted(keys.DATA_INDEX)} is {quoted(index)}",
                "give its number among the inputs",
            )
        if index in found:
            fail(
                _of(node),
                f"its {quoted(keys.DATA_INDEX)} is {index}",
                f"so is that of {quoted(found[index].name)}",
            )
        found[index] = node


def _verify_calls(root: Graph, graphs: Mapping[str, Graph]) -> None:
    """No graph may call itself, over others or not: GE's loader would never end."""
    callees: dict[str, list[str]] = {}
    for name, graph in graphs.items():
        callees[name] = [callee for node in graph.nodes for callee in node.subgraphs]
    done: set[str] = set()
    open_calls: dict[str, None] = {}
    stack = [(root.name, False)]
    while stack:
        name, finished = stack.pop()
        if finished:
            del open_calls[name]
            done.add(name)
        elif name in open_calls:
            fail(f"graph {quoted(name)}", "it calls itself", "a graph may not contain itself")
        elif name not in done:
            open_calls[name] = None
            stack.append((name, True))
            stack.extend((callee, False) for callee in callees[name])


def _of(node: Node) -> str:
    return f"node {quoted(node.name)}"
