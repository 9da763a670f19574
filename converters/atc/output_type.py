"""--output_type: its syntax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..ge_ir import DataType
from .out_nodes import Out, parse_out_node

_TYPES: Mapping[str, DataType] = {
    "FP32": DataType.FLOAT,
    "FP16": DataType.FLOAT16,
    "UINT8": DataType.UINT8,
    "INT8": DataType.INT8,
}


def parse_output_types(text: str, out_nodes: Sequence[Out]) -> tuple[DataType | None, ...]:
    """The types of the outputs: one for all of `FP16`, of `node:0:FP16;...` one for each of --out_nodes.

    None keeps the model's type; nothing at all where the flag is not given. Raises MaxPoolGradError (E10001)
    for an unknown type, and for an entry of an output that --out_nodes does not name.
    """
    if not text:
        return ()
    if ":" not in text:
        return (_type(text),)
    types: dict[Out, DataType] = {}
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        node, _, name = entry.rpartition(":")
        out = parse_out_node(node, "output_type", "node:0:FP16;other:1:FP32")
        if out not in out_nodes:
            sentence = f"--output_type has the entry {quoted(entry)}; name that output in --out_nodes, too"
            raise MaxPoolGradError(sentence, code="E10001")
        types[out] = _type(name)
    return tuple(types.get(out) for out in out_nodes)


def _type(name: str) -> DataType:
    if name not in _TYPES:
        allowed = ", ".join(_TYPES)
        raise MaxPoolGradError(f"--output_type has {quoted(name)}; allowed are {allowed}", code="E10001")
    return _TYPES[name]
