"""Which kernels are bound to the operators of an .om: TILING_DATA, TASK_INFO and attributes of the operators.

TILING_DATA has how a kernel is started and what it reads, TASK_INFO which kernel it is and in which order it
runs; an operator's attribute `_op_tiling_ids` leads to the former, its id to the latter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..ge_ir import AttrValue, Graph, KernelLaunch, ListOf, Node
from ..ge_ir.encode import encode_attrs
from ..ge_ir.model import parse
from ..ge_ir.refusal import BAD_FILE, fail
from . import tasks, tiling_data
from .compression import expand
from .container import OmFile, PartitionType

_TILING_IDS = "_op_tiling_ids"
_TYPE_SHIFT = 56  # above it, a tiling id says what kind of kernel it is for; 0 is the operator's own

BOUND_ATTRIBUTES = frozenset(
    {_TILING_IDS, "_kernelname", "_kernel_list_first_name", "tvm_blockdim", "tvm_magic"}
)
"""Attributes that binding a kernel gives to an operator."""


def by_op_id(
    graphs: Sequence[Graph], launches: Mapping[str, KernelLaunch]
) -> dict[int, tuple[Node, KernelLaunch]]:
    """The launches, given by the nodes' names, by the ids that a file gives the nodes of its graphs."""
    nodes = (node for graph in graphs for node in graph.nodes)
    return {number: (node, launches[node.name]) for number, node in enumerate(nodes) if node.name in launches}


def describe(op: Any, launch: KernelLaunch) -> None:
    """Say in an OpDef which kernel it has. Its tiling id is its own id."""
    attrs: dict[str, AttrValue] = {
        _TILING_IDS: ListOf("int", [op.id]),
        "_kernelname": launch.symbol,
        "_kernel_list_first_name": launch.symbol,
        "tvm_blockdim": launch.block_dim,
        "tvm_magic": "RT_DEV_BINARY_MAGIC_ELF_AIVEC",  # a kernel for vector cores
    }
    encode_attrs(attrs, op.attr, f"node {op.name!r}")
    op.workspace_bytes.extend(launch.workspaces)


def launches_of(om: OmFile, source: str = "the .om file", model: int = 0) -> Mapping[str, KernelLaunch]:
    """The launches that a model in an .om binds, by the names of the nodes.

    Raises MaxPoolGradError where a partition is damaged, or two of them do not say the same.
    """
    definition, data, info = (
        om.find(type, model)
        for type in (PartitionType.MODEL_DEF, PartitionType.TILING_DATA, PartitionType.TASK_INFO)
    )
    if definition is None or data is None:
        return {}
    message = parse(definition.data, source)
    expand(message, source)
    tiling = tiling_data.from_bytes(data.data, source)
    kernels = {} if info is None else tasks.from_bytes(info.data, source)
    found = {}
    for op in (op for graph in message.graph for op in graph.op):
        launch = _launch(op, tiling)
        if launch is not None:
            found[op.name] = _with_symbol(op, launch, kernels.get(op.id), source)
    return found


def _launch(op: Any, tiling: tiling_data.TilingData) -> KernelLaunch | None:
    if tiling.by_op_id:
        return tiling.launches.get(op.id)
    ids = op.attr[_TILING_IDS].list.i if _TILING_IDS in op.attr else ()
    return next((tiling.launches[id] for id in ids if id >> _TYPE_SHIFT == 0 and id in tiling.launches), None)


def _with_symbol(op: Any, launch: KernelLaunch, kernel: Any, source: str) -> KernelLaunch:
    if kernel is None:
        name: bytes = op.attr["_kernelname"].s if "_kernelname" in op.attr else b""
        return replace(launch, symbol=name.decode("utf-8", "replace"))
    if kernel.block_dim != launch.block_dim:
        found = f"its block dim is {launch.block_dim} in TILING_DATA and {kernel.block_dim} in TASK_INFO"
        fail(f"{source}, node {op.name!r}", found, "build the .om again", BAD_FILE)
    return replace(launch, symbol=kernel.original_kernel_key)
