"""GeModel <-> .om: the graph in MODEL_DEF, its weights in WEIGHTS_DATA, kernels bound to it beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..ge_ir import GeModel, Graph, KernelLaunch, ListOf
from ..ge_ir.encode import encode_attrs
from ..ge_ir.keys import CONST_TYPES, CONST_VALUE
from ..ge_ir.model import parse, serialize
from ..ge_ir.refusal import BAD_FILE, fail
from ..profiles import profiled_model
from . import tasks, tiling_data
from .compression import TABLES, expand
from .container import Buffer, OmFile, Partition, PartitionType
from .header import Header
from .inout_info import in_out_info, to_bytes
from .launches import BOUND_ATTRIBUTES, by_op_id, describe
from .profile_blocks import profile_blocks
from .weights import WeightLayout, fetch_from

# Attributes that only repeat the partitions' sizes: written for atc's --mode=6, not read back.
_WEIGHT_SIZE = "weight_size"
_PARTITION_SIZES = "om_info_list"


def to_om(model: GeModel, launches: Mapping[str, KernelLaunch] | None = None) -> OmFile:
    """Pack a model, in atc's order of partitions. Weights are not copied.

    `launches` are the kernels bound to nodes of its graphs, by the nodes' names.
    """
    layout = WeightLayout()
    message = model.to_wire(layout.store)
    _describe_constant_inputs(message)
    weights = layout.pieces()
    weight_size = sum(map(len, weights))
    bound = by_op_id([model.graph, *model.subgraphs], launches or {})
    ops = [op for graph in message.graph for op in graph.op]
    for op_id, (_, launch) in bound.items():
        describe(ops[op_id], launch)
    task_info = tasks.to_bytes(bound, weight_size)
    sizes = ListOf("int", [weight_size, 0, 0, len(task_info), 0])  # kernels, AI CPU kernels, libraries: none
    encode_attrs({_WEIGHT_SIZE: weight_size, _PARTITION_SIZES: sizes}, message.attr, "the model")
    tiling = tiling_data.to_bytes({op_id: launch for op_id, (_, launch) in bound.items()})
    partitions: Sequence[tuple[PartitionType, Sequence[Buffer]]] = [
        (PartitionType.TILING_DATA, [tiling] if tiling else []),
        (PartitionType.MODEL_INOUT_INFO, _in_out_info(model)),
        (PartitionType.MODEL_DEF, [serialize(message)]),
        (PartitionType.WEIGHTS_DATA, weights),
        (PartitionType.TASK_INFO, [task_info]),
    ]
    header = Header.named(model.name, model.version)
    return OmFile(header, [[Partition(type, pieces) for type, pieces in partitions if pieces]])


def _in_out_info(model: GeModel) -> Sequence[bytes]:
    profiled = profiled_model(model)
    if profiled is None:
        return [to_bytes(in_out_info(model.graph))]
    return [to_bytes(in_out_info(model.graph, profiled.plain(0).graph)), *profile_blocks(profiled)]


def from_om(om: OmFile, source: str = "the .om file", model: int = 0) -> GeModel:
    """Unpack one of the models; its weights are views into the .om. Raises MaxPoolGradError if it is bad.

    Kernels that are bound to its nodes are no part of the graph: launches_of reads them.
    """
    definition = om.find(PartitionType.MODEL_DEF, model)
    if definition is None:
        fail(source, "it has no MODEL_DEF partition", "its graph lies there; build it again", BAD_FILE)
    weights = om.find(PartitionType.WEIGHTS_DATA, model)
    fetch = fetch_from(b"" if weights is None else weights.data, source)
    message = parse(definition.data, source)
    expand(message, source)
    found = GeModel.from_wire(message, source, fetch)
    derived = (_WEIGHT_SIZE, _PARTITION_SIZES, *TABLES)
    attrs = {name: found.attrs[name] for name in found.attrs if name not in derived}
    graph, *subgraphs = map(_without_binding, (found.graph, *found.subgraphs))
    return replace(found, attrs=attrs, graph=graph, subgraphs=subgraphs)


def _without_binding(graph: Graph) -> Graph:
    nodes = [
        replace(node, attrs={name: node.attrs[name] for name in node.attrs if name not in BOUND_ATTRIBUTES})
        if BOUND_ATTRIBUTES & node.attrs.keys()
        else node
        for node in graph.nodes
    ]
    return replace(graph, nodes=nodes)


def _describe_constant_inputs(message: Any) -> None:
    """Say at every input that a Const feeds where in WEIGHTS_DATA its elements lie, as atc does."""
    for graph in message.graph:
        constants = [op for op in graph.op if op.type in CONST_TYPES]
        offsets = {f"{op.name}:0": op.attr[CONST_VALUE].t.desc.data_offset for op in constants}
        for op in graph.op:
            data_inputs = [source for source in op.input if not source.endswith(":-1")]
            op.is_input_const.extend(source in offsets for source in data_inputs)
            for source, desc in zip(data_inputs, op.input_desc, strict=False):
                desc.data_offset = offsets.get(source, 0)
