"""An ONNX model whose large weights stay in their files: memory for its graph only, whatever its size."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onnx import ModelProto, StringStringEntryProto, TensorProto

from .external_data import external_bytes, load_external_data
from .files import map_file
from .model_files import parse_model
from .wire_format import Piece, fields, rewritten

LARGE = 1 << 20
"""Bytes from which on a weight stays in its file. No list of sizes, axes or indices that shape inference
reads is so long: see LONGEST_PROPAGATED in shapes.py."""

# Field numbers of onnx.proto: ModelProto.graph, GraphProto.initializer; then TensorProto's.
_INITIALIZERS = {7: {5: None}}
_RAW_DATA, _EXTERNAL_DATA = 9, 13
# Stands for a weight that was cut out. No file has such a name.
_CUT = "\0"


@dataclass(frozen=True)
class MappedModel:
    """A model, and the bytes of those of its graph's initializers, by name, whose elements it lacks."""

    proto: ModelProto
    weights: Mapping[str, memoryview] = field(default_factory=dict)


def map_model(path: str | os.PathLike[str]) -> MappedModel:
    """The ONNX model in a file; large initializers, those in files beside it too, stay mapped.

    Raises MaxPoolGradError as load_model does.
    """
    data = map_file(path)
    cut: list[memoryview] = []
    model = parse_model(_without_large_weights(data, cut), os.fspath(path))
    weights = {}
    for tensor in model.graph.initializer:
        if tensor.data_location == TensorProto.EXTERNAL:
            content = _cut_weight(tensor, cut) or external_bytes(tensor, path)
            if len(content) >= LARGE:
                weights[tensor.name] = content
                tensor.ClearField("data_location")
                del tensor.external_data[:]
    load_external_data(model, path)
    return MappedModel(model, weights)


def _without_large_weights(data: memoryview, cut: list[memoryview]) -> bytes:
    """The bytes of the model, its large initializers left out and appended to `cut`."""

    def cut_weight(tensor: memoryview) -> Sequence[Piece]:
        found = [part for part in fields(tensor) if part.number in (_RAW_DATA, _EXTERNAL_DATA)]
        if [part.number for part in found] != [_RAW_DATA]:
            return [tensor]
        (raw,) = found
        if raw.end - raw.content < LARGE:
            return [tensor]
        cut.append(tensor[raw.content : raw.end])
        return [tensor[: raw.start], tensor[raw.end :], _reference(len(cut) - 1)]

    try:
        return b"".join(rewritten(data, _INITIALIZERS, lambda content: len(content) >= LARGE, cut_weight))
    except ValueError:
        cut.clear()
        return bytes(data)  # no protobuf, which its parser will say


def _reference(number: int) -> bytes:
    entry = StringStringEntryProto(key="location", value=f"{_CUT}{number}")
    return TensorProto(data_location=TensorProto.EXTERNAL, external_data=[entry]).SerializeToString()


def _cut_weight(tensor: TensorProto, cut: Sequence[memoryview]) -> memoryview | None:
    """The weight that was cut out of this tensor, if one was."""
    location = next((entry.value for entry in tensor.external_data if entry.key == "location"), "")
    number = location.removeprefix(_CUT)
    known = location != number and len(number) < 10 and number.isdecimal() and int(number) < len(cut)
    return cut[int(number)] if known else None
