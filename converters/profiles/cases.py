"""A model with profiles -> the models of its profiles: what case_model has made, undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from maxpoolgrad_onnx.errors import quoted

from ..ge_ir import Edge, GeModel, Graph, ListOf, Node, Shape
from ..ge_ir.ends import data_nodes
from ..ge_ir.keys import CONST_TYPES, DATA_TYPES, NET_OUTPUT
from ..ge_ir.refusal import BAD_FILE, fail
from ..ge_ir.verify import verify
from . import names
from .profiles import Kind, Profiles


@dataclass(frozen=True)
class ProfiledModel:
    """A model, its Case, and the profiles among which that chooses."""

    model: GeModel
    case: Node
    profiles: Profiles

    def plain(self, number: int) -> GeModel:
        """The model of one profile, as if it had been made alone.

        Raises MaxPoolGradError where its graph is damaged.
        """
        graphs = {graph.name: graph for graph in self.model.subgraphs}
        graph = _Plain(self, graphs[self.case.subgraphs[number]], number).graph()
        verify([graph])
        return replace(self.model, graph=graph, subgraphs=())


def profile_case(graph: Graph) -> Node | None:
    """The Case of a root graph that chooses among profiles."""
    return next((node for node in graph.nodes if node.type == "Case" and names.COUNT in node.attrs), None)


def profiled_model(model: GeModel) -> ProfiledModel | None:
    """The profiles of a model; None where it has none. Raises MaxPoolGradError where they are damaged."""
    case = profile_case(model.graph)
    if case is None:
        return None
    count, kind, order = (case.attrs.get(name) for name in (names.COUNT, names.KIND, names.ORDER))
    if count != len(case.subgraphs) or not case.subgraphs:
        _damaged(case, f"{names.COUNT} is {quoted(count)}, and it calls {len(case.subgraphs)} graphs")
    if not isinstance(kind, int) or kind not in Kind._value2member_map_:
        _damaged(case, f"{names.KIND} is {quoted(kind)}")
    sizes = [_ints(case.attrs.get(f"{names.SIZES}{number}")) for number in range(len(case.subgraphs))]
    if any(not each or len(each) != len(sizes[0]) or min(each) < 0 for each in sizes):
        _damaged(case, "its profiles have no sizes, or different numbers of them")
    inputs = {node.name: node for node in data_nodes(model.graph)}
    order_names = order.values if isinstance(order, ListOf) else ()
    shapes: dict[str, Shape] = {}
    for name in (str(name) for name in order_names or inputs):
        if name in inputs and name != names.SIZES_INPUT:
            shapes[name] = _ints(inputs[name].attrs.get(names.OPEN_SHAPE)) or _shape(inputs[name])
    profiles = Profiles(Kind(kind), shapes, sizes)
    profiles.check()
    return ProfiledModel(model, case, profiles)


def _ints(value: object) -> tuple[int, ...]:
    values = value.values if isinstance(value, ListOf) and value.kind == "int" else ()
    return tuple(size for size in values if isinstance(size, int))


def _shape(node: Node) -> Shape:
    return node.output_desc().shape or ()


class _Plain:
    """One profile's graph on its way to a root graph."""

    def __init__(self, whole: ProfiledModel, called: Graph, number: int) -> None:
        self._root, self._case, self._called = whole.model.graph, whole.case, called
        self._suffix = f"{names.NODE_SUFFIX}{number}"
        nodes = {node.name: node for node in self._root.nodes}
        self._sources = {
            node.name: self._source(node, nodes) for node in called.nodes if node.type in DATA_TYPES
        }

    def graph(self) -> Graph:
        nodes = [self._node(node) for node in self._called.nodes]
        return replace(self._root, nodes=nodes, outputs=[self._edge(edge) for edge in self._called.outputs])

    def _node(self, node: Node) -> Node:
        if node.type in DATA_TYPES:
            return self._argument(node)
        inputs = [None if edge is None else self._edge(edge) for edge in node.inputs]
        control = [self._name(name) for name in node.control_inputs]
        plain = replace(node, name=self._name(node.name), inputs=inputs, control_inputs=control)
        return self._with_output_names(plain) if node.type == NET_OUTPUT else plain

    def _argument(self, node: Node) -> Node:
        """What feeds the input of Case that this Data stands for: an input of the model, or a constant."""
        source = self._sources[node.name]
        if source.type in CONST_TYPES:
            return source
        kept = {name: value for name, value in source.attrs.items() if name not in _OF_PROFILES}
        desc = node.output_desc()
        return replace(source, attrs=kept, input_descs={"x": desc}, output_descs={"y": desc})

    def _source(self, node: Node, nodes: Mapping[str, Node]) -> Node:
        index = node.attrs.get(names.PARENT_INDEX)
        fits = isinstance(index, int) and 0 < index < len(self._case.inputs)
        edge = self._case.inputs[index] if fits and isinstance(index, int) else None
        if edge is None or nodes[edge.node].type not in (*DATA_TYPES, *CONST_TYPES):
            _damaged(node, f"{names.PARENT_INDEX} is {quoted(index)}, which no input or constant feeds")
        return nodes[edge.node]

    def _edge(self, edge: Edge) -> Edge:
        return Edge(self._name(edge.node), edge.output)

    def _name(self, name: str) -> str:
        source = self._sources.get(name)
        return name.removesuffix(self._suffix) if source is None else source.name

    def _with_output_names(self, node: Node) -> Node:
        ends = [end for end in self._root.nodes if end.type == NET_OUTPUT]
        named: Sequence[str] = [desc.name for end in ends for desc in end.input_descs.values()]
        descs = {}
        for number, (port, desc) in enumerate(node.input_descs.items()):
            attrs = {name: value for name, value in desc.attrs.items() if name != names.PARENT_INDEX}
            name = named[number] if number < len(named) else desc.name
            descs[port] = replace(desc, name=name, attrs=attrs)
        return replace(node, input_descs=descs)


_OF_PROFILES = frozenset({names.OPEN_SHAPE, names.CASE_OF_DATA})


def _damaged(node: Node, found: str) -> NoReturn:
    fail(f"node {quoted(node.name)}", found, "its profiles are damaged: compile the model again", BAD_FILE)
