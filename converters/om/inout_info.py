"""MODEL_INOUT_INFO: the model's inputs and outputs, readable without its graph.

A row of blocks {u32 type, u32 length, bytes}; type 0 lists the inputs, 1 the outputs, others are profiles.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from maxpoolgrad_onnx.errors import quoted

from ..ge_ir import Graph, ListOf, Node, TensorDesc
from ..ge_ir.ends import data_nodes, output_names
from ..ge_ir.refusal import BAD_FILE, BAD_NODE, fail
from ..profiles.names import OPEN_SHAPE

_INPUTS, _OUTPUTS = 0, 1
_BLOCK = struct.Struct("<II")
_COUNT = struct.Struct("<I")
_TENSOR = struct.Struct("<Qii4I")


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """An input or output: bytes (0 where not fixed), format and type as GE's numbers, and shape.

    `ranges` has (lowest, highest) per axis where the shape has unknown sizes and their bounds are known.
    `shape_v2` is the shape before AIPP, else the same.
    """

    name: str
    size: int
    format: int
    dtype: int
    shape: tuple[int, ...]
    shape_v2: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class InOutInfo:
    """A model's inputs and outputs, each in order."""

    inputs: Sequence[TensorInfo]
    outputs: Sequence[TensorInfo]


def in_out_info(graph: Graph, named_after: Graph | None = None) -> InOutInfo:
    """What a root graph takes (its Data nodes by index) and returns, named as atc names them.

    `named_after` is the graph whose nodes the outputs are called after, where it is another one.
    """
    ports = {node.name: tuple(node.output_descs.values()) for node in graph.nodes}
    descs = [ports[edge.node][edge.output] for edge in graph.outputs]
    names = _output_names(named_after or graph)
    outputs = [_tensor_info(name, desc) for name, desc in zip(names, descs, strict=True)]
    return InOutInfo([_input_info(node) for node in data_nodes(graph)], outputs)


def to_bytes(info: InOutInfo) -> bytes:
    """The partition."""
    return _block(_INPUTS, info.inputs) + _block(_OUTPUTS, info.outputs)


def from_bytes(data: bytes | memoryview, source: str) -> InOutInfo:
    """Read the partition. Raises MaxPoolGradError where a length runs past its end."""
    where = f"{source}, MODEL_INOUT_INFO"
    view = memoryview(data)
    found: dict[int, list[TensorInfo]] = {_INPUTS: [], _OUTPUTS: []}
    position = 0
    while position < len(view):
        kind, length = _unpack(_BLOCK, view, position, where)
        position += _BLOCK.size
        _check_left(view, position, length, where)
        if kind in found:
            found[kind] = _read_block(view[position : position + length], where)
        position += length
    return InOutInfo(found[_INPUTS], found[_OUTPUTS])


def _output_names(graph: Graph) -> list[str]:
    """node:output:name where NetOutput knows the output's name in ONNX, else output_number_node_output."""
    names = []
    for number, (edge, text) in enumerate(zip(graph.outputs, output_names(graph), strict=True)):
        plain = f"output_{number}_{edge.node}_{edge.output}"
        names.append(f"{edge.node}:{edge.output}:{text}" if text else plain)
    return names


def _input_info(node: Node) -> TensorInfo:
    """Of an input with profiles the size is that of the largest, and the shape the open one."""
    info = _tensor_info(node.name, node.output_desc())
    open_shape = node.attrs.get(OPEN_SHAPE)
    if not isinstance(open_shape, ListOf) or open_shape.kind != "int":
        return info
    shape = cast(tuple[int, ...], tuple(open_shape.values))
    return replace(info, shape=shape, shape_v2=shape)


def _tensor_info(name: str, desc: TensorDesc) -> TensorInfo:
    shape = (-2,) if desc.shape is None else desc.shape
    known = all(size >= 0 for size in shape)
    size = -(-math.prod(shape) * desc.dtype.bits // 8) if known else 0
    if size >= 2**63:
        fail(f"the model's tensor {quoted(name)}", f"it has {size} bytes", "a size is below 2**63", BAD_NODE)
    ranges = desc.attrs.get("shape_range")
    bounds: tuple[tuple[int, int], ...] = ()
    if isinstance(ranges, ListOf) and ranges.kind == "ints":
        bounds = cast(tuple[tuple[int, int], ...], tuple(ranges.values))
    return TensorInfo(name, size, desc.format.value, desc.dtype.value, shape, shape, bounds)


def _block(kind: int, tensors: Sequence[TensorInfo]) -> bytes:
    body = _COUNT.pack(len(tensors)) + b"".join(map(_tensor, tensors))
    return _BLOCK.pack(kind, len(body)) + body


def _tensor(info: TensorInfo) -> bytes:
    texts = [
        info.name.encode("utf-8", "replace"),
        _int64s(info.shape),
        _int64s(info.shape_v2),
        _int64s([bound for pair in info.ranges for bound in pair]),
    ]
    return _TENSOR.pack(info.size, info.format, info.dtype, *map(len, texts)) + b"".join(texts)


def _read_block(view: memoryview, where: str) -> list[TensorInfo]:
    (count,) = _unpack(_COUNT, view, 0, where)
    position = _COUNT.size
    tensors = []
    for _ in range(count):
        size, format, dtype, *lengths = _unpack(_TENSOR, view, position, where)
        position += _TENSOR.size
        fields = []
        for length in lengths:
            _check_left(view, position, length, where)
            fields.append(bytes(view[position : position + length]))
            position += length
        shape, shape_v2, bounds = map(_read_int64s, fields[1:])
        ranges = tuple(zip(bounds[::2], bounds[1::2], strict=False))
        name = fields[0].decode("utf-8", "replace")
        tensors.append(TensorInfo(name, size, format, dtype, shape, shape_v2, ranges))
    return tensors


def _unpack(layout: struct.Struct, view: memoryview, position: int, where: str) -> tuple[int, ...]:
    _check_left(view, position, layout.size, where)
    return layout.unpack_from(view, position)


def _check_left(view: memoryview, position: int, length: int, where: str) -> None:
    if length > len(view) - position:
        left = len(view) - position
        fail(where, f"{length} bytes are declared at {position}", f"{left} are left", BAD_FILE)


def _int64s(values: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def _read_int64s(data: bytes) -> tuple[int, ...]:
    count = len(data) // 8
    return struct.unpack(f"<{count}q", data[: count * 8])
