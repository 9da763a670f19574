"""GeModel <-> .om: the graph in MODEL_DEF, its weights in WEIGHTS_DATA, an empty list of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..ge_ir import GeModel, ListOf
from ..ge_ir.encode import encode_attrs
from ..ge_ir.keys import CONST_TYPES, CONST_VALUE
from ..ge_ir.model import parse, serialize
from ..ge_ir.refusal import BAD_FILE, fail
from ..ge_ir.wire import ModelTaskDef
from .compression import TABLES, expand
from .container import Buffer, OmFile, Partition, PartitionType
from .header import Header
from .inout_info import in_out_info, to_bytes
from .weights import WeightLayout, fetch_from

# Attributes that only repeat the partitions' sizes: written for atc's --mode=6, not read back.
_WEIGHT_SIZE = "weight_size"
_PARTITION_SIZES = "om_info_list"


def to_om(model: GeModel) -> OmFile:
    """Pack a model, in atc's order of partitions. Weights are not copied."""
    layout = WeightLayout()
    message = model.to_wire(layout.store)
    _describe_constant_inputs(message)
    weights = layout.pieces()
    weight_size = sum(map(len, weights))
    tasks = serialize(ModelTaskDef(stream_num=1, weight_size=weight_size))
    sizes = ListOf("int", [weight_size, 0, 0, len(tasks), 0])  # kernels, AI CPU kernels and libraries: none
    encode_attrs({_WEIGHT_SIZE: weight_size, _PARTITION_SIZES: sizes}, message.attr, "the model")
    partitions: Sequence[tuple[PartitionType, Sequence[Buffer]]] = [
        (PartitionType.MODEL_INOUT_INFO, [to_bytes(in_out_info(model.graph))]),
        (PartitionType.MODEL_DEF, [serialize(message)]),
        (PartitionType.WEIGHTS_DATA, weights),
        (PartitionType.TASK_INFO, [tasks]),
    ]
    header = Header.named(model.name, model.version)
    return OmFile(header, [[Partition(type, pieces) for type, pieces in partitions if pieces]])


def from_om(om: OmFile, source: str = "the .om file", model: int = 0) -> GeModel:
    """Unpack one of the models; its weights are views into the .om. Raises MaxPoolGradError if it is bad."""
    definition = om.find(PartitionType.MODEL_DEF, model)
    if definition is None:
        fail(source, "it has no MODEL_DEF partition", "its graph lies there; build it again", BAD_FILE)
    weights = om.find(PartitionType.WEIGHTS_DATA, model)
    fetch = fetch_from(b"" if weights is None else weights.data, source)
    message = parse(definition.data, source)
    expand(message, source)
    found = GeModel.from_wire(message, source, fetch)
    derived = (_WEIGHT_SIZE, _PARTITION_SIZES, *TABLES)
    return replace(found, attrs={name: found.attrs[name] for name in found.attrs if name not in derived})


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
