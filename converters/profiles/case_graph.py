"""The graphs of several profiles -> one model: a Case that calls the graph of the profile in use.

    inputs ------------------------------> Case --> NetOutput
    shape_data, shape_const --> MapIndex --^  `-- Batch_0, Batch_1, ...

It is what atc makes of a model and its profiles (GE's pass MultiBatchClonePass). Constants that are the same
in all profiles lie in the root graph once and reach the others through Case.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ge_ir import AttrValue, DataType, Edge, GeModel, Graph, ListOf, Node, Shape, Tensor, TensorDesc
from ..ge_ir.ends import data_nodes
from ..ge_ir.keys import CONST_TYPES, CONST_VALUE, DATA_INDEX, NET_OUTPUT
from . import names
from .profiles import Profiles


def case_model(profiles: Profiles, models: Sequence[GeModel], open_model: GeModel) -> GeModel:
    """One model of the models of all profiles, each with its sizes, and of the model with open sizes."""
    shared = _shared_constants([model.graph for model in models])
    inputs = _inputs(models, profiles)
    arguments = [*inputs, *shared.values()]
    positions = {node.name: position for position, node in enumerate(arguments)}
    graphs = [_profile_graph(model.graph, number, positions) for number, model in enumerate(models)]
    root = _root(profiles, inputs, list(shared.values()), [model.graph for model in models], open_model)
    return replace(open_model, graph=root, subgraphs=graphs)


def share_constants(model: GeModel, first: GeModel) -> GeModel:
    """The model with the elements of its constants taken from `first` where they are the same."""
    known = {node.name: node for node in first.graph.nodes if node.type in CONST_TYPES}
    nodes = [
        known[node.name] if node.type in CONST_TYPES and known.get(node.name) == node else node
        for node in model.graph.nodes
    ]
    return replace(model, graph=replace(model.graph, nodes=nodes))


def _shared_constants(graphs: Sequence[Graph]) -> Mapping[str, Node]:
    """The constants that every graph has alike, by name."""
    first, *others = [
        {node.name: node for node in graph.nodes if node.type in CONST_TYPES} for graph in graphs
    ]
    return {name: node for name, node in first.items() if all(other.get(name) == node for other in others)}


def _inputs(models: Sequence[GeModel], profiles: Profiles) -> list[Node]:
    """The Data nodes of the root graph, by index: the largest shape, and the open one beside it."""
    alike = zip(*(data_nodes(model.graph) for model in models), strict=True)
    return [_input(nodes, profiles) for nodes in alike]


def _input(nodes: Sequence[Node], profiles: Profiles) -> Node:
    shapes = [node.output_desc().shape for node in nodes]
    largest = nodes[_largest(shapes)]
    if all(shape == shapes[0] for shape in shapes):
        return largest
    sizes = zip(*(shape or () for shape in shapes), strict=True)
    open_shape = [each[0] if len(set(each)) == 1 else -1 for each in sizes]
    open_shape = list(profiles.shapes.get(largest.name, open_shape))
    attrs: dict[str, AttrValue] = {
        names.OPEN_SHAPE: ListOf("int", open_shape),
        names.CASE_OF_DATA: names.CASE_NODE,
    }
    return replace(largest, attrs={**largest.attrs, **attrs})


def _largest(shapes: Sequence[Shape | None]) -> int:
    return max(range(len(shapes)), key=lambda number: math.prod(shapes[number] or ()))


def _profile_graph(graph: Graph, number: int, positions: Mapping[str, int]) -> Graph:
    """The graph of a profile: its inputs and the shared constants are Data that stand for Case's inputs."""
    renamed = _Renamed(f"{names.NODE_SUFFIX}{number}")
    nodes = []
    for node in graph.nodes:
        if node.name in positions:
            nodes.append(_argument(node, positions[node.name], renamed))
        elif node.type == NET_OUTPUT:
            nodes.append(replace(renamed.node(node), input_descs=_with_parent_index(node.input_descs)))
        else:
            nodes.append(renamed.node(node))
    return Graph(f"{names.GRAPH_PREFIX}{number}", nodes, [renamed.edge(edge) for edge in graph.outputs])


@dataclass(frozen=True)
class _Renamed:
    """Nodes and edges under names with a suffix."""

    suffix: str

    def edge(self, edge: Edge) -> Edge:
        return Edge(edge.node + self.suffix, edge.output)

    def node(self, node: Node) -> Node:
        inputs = [None if edge is None else self.edge(edge) for edge in node.inputs]
        control = [name + self.suffix for name in node.control_inputs]
        return replace(node, name=node.name + self.suffix, inputs=inputs, control_inputs=control)


def _argument(node: Node, position: int, renamed: _Renamed) -> Node:
    attrs = {name: value for name, value in node.attrs.items() if name != CONST_VALUE}
    attrs |= {DATA_INDEX: position, names.PARENT_INDEX: position + 1}
    desc = node.output_desc()
    name = node.name + renamed.suffix
    return Node(name, "Data", [], {"x": desc}, {"y": desc}, attrs)


def _with_parent_index(descs: Mapping[str, TensorDesc]) -> dict[str, TensorDesc]:
    return {
        port: replace(desc, attrs={**desc.attrs, names.PARENT_INDEX: number})
        for number, (port, desc) in enumerate(descs.items())
    }


def _root(
    profiles: Profiles,
    inputs: Sequence[Node],
    constants: Sequence[Node],
    graphs: Sequence[Graph],
    open_model: GeModel,
) -> Graph:
    (ends,) = (node for node in open_model.graph.nodes if node.type == NET_OUTPUT)
    outputs = _output_descs(graphs, list(ends.input_descs.values()))
    chooser = _chooser(profiles, len(inputs))
    arguments = {f"input{i}": node.output_desc() for i, node in enumerate((*inputs, *constants))}
    case = Node(
        names.CASE_NODE,
        "Case",
        [Edge(names.INDEX_NODE), *(Edge(node.name) for node in (*inputs, *constants))],
        {"branch_index": _int32(()), **arguments},
        {f"output{i}": replace(desc, name="") for i, desc in enumerate(outputs)},
        _case_attrs(profiles),
        subgraphs=[f"{names.GRAPH_PREFIX}{number}" for number in range(len(graphs))],
    )
    edges = [Edge(names.CASE_NODE, i) for i in range(len(outputs))]
    shapes = [
        f"{number},{i},{','.join(map(str, desc.shape or ()))}"
        for number, graph in enumerate(graphs)
        for i, desc in enumerate(_ends(graph))
    ]
    ports = {f"__input{i}": desc for i, desc in enumerate(outputs)}
    net_output = replace(
        ends,
        inputs=edges,
        input_descs=ports,
        attrs={**ends.attrs, names.OUTPUT_SHAPES: ListOf("str", shapes)},
        control_inputs=[names.CASE_NODE],
    )
    nodes = [*inputs, *chooser, *constants, case, net_output]
    return replace(open_model.graph, nodes=nodes, outputs=edges)


def _ends(graph: Graph) -> list[TensorDesc]:
    nodes = {node.name: node for node in graph.nodes}
    return [nodes[edge.node].output_desc(edge.output) for edge in graph.outputs]


def _output_descs(graphs: Sequence[Graph], named: Sequence[TensorDesc]) -> list[TensorDesc]:
    """Of each output the largest shape, under the output's name."""
    alike = zip(*map(_ends, graphs), strict=True)
    largest = [descs[_largest([desc.shape for desc in descs])] for descs in alike]
    return [replace(desc, name=own.name) for desc, own in zip(largest, named, strict=True)]


def _chooser(profiles: Profiles, count: int) -> list[Node]:
    """What turns the sizes in use into the profile's number."""
    table = np.array(profiles.sizes, np.int32).reshape(-1)
    sizes, rows = _int32((len(profiles.sizes[0]),)), _int32(table.shape)
    attrs: dict[str, AttrValue] = {
        DATA_INDEX: count,
        names.INSERTED: True,
        "_is_multi_batch_shape_data": True,
        "_ge_attr_lowering_func": "multi_batch_shape_data",
    }
    return [
        Node(names.SIZES_INPUT, "Data", [], {"x": sizes}, {"y": sizes}, attrs),
        Node(names.SIZES_CONST, "Const", [], {}, {"y": rows}, {CONST_VALUE: Tensor.of(table)}),
        Node(
            names.INDEX_NODE,
            "MapIndex",
            [Edge(names.SIZES_INPUT), Edge(names.SIZES_CONST)],
            {"x": sizes, "data_seq": rows},
            {"y": _int32(())},
        ),
    ]


def _case_attrs(profiles: Profiles) -> dict[str, AttrValue]:
    attrs: dict[str, AttrValue] = {
        f"{names.SIZES}{number}": ListOf("int", sizes) for number, sizes in enumerate(profiles.sizes)
    }
    return attrs | {
        names.COUNT: len(profiles.sizes),
        names.ORDER: ListOf("str", list(profiles.shapes)),
        names.INSERTED: True,
        names.KIND: int(profiles.kind),
    }


def _int32(shape: Shape) -> TensorDesc:
    return TensorDesc(DataType.INT32, shape)
