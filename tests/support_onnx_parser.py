"""How the ONNX parser of GE hands a node to a plugin: its fields, and its attributes as one JSON text."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from onnx import AttributeProto, NodeProto, TensorProto


def request_for(node: NodeProto, version: int = 1) -> dict[str, Any]:
    """The node as plugin_driver.cc takes it. A field that the node does not have is not there."""
    return {
        "key": f"{node.domain}::{version}::{node.op_type}",
        "name": node.name,
        "input": list(node.input) or None,
        "output": list(node.output) or None,
        "attribute": attribute_text(node) if node.attribute else None,
    }


def attribute_text(node: NodeProto) -> str:
    """The parser's JSON: keys in alphabetical order, without the fields that have proto3's defaults."""
    attributes = [_attribute(attribute) for attribute in node.attribute]
    return json.dumps({"attribute": attributes}, indent=2, sort_keys=True, ensure_ascii=False)


def _attribute(attribute: AttributeProto) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": attribute.name,
        "ref_attr_name": attribute.ref_attr_name,
        "type": attribute.type,
        "i": attribute.i,
        "s": _c_escaped(attribute.s),
        "ints": list(attribute.ints),
        "floats": [float(value) for value in attribute.floats],
        "strings": [value.decode() for value in attribute.strings],
    }
    known = {key: value for key, value in fields.items() if value}
    if attribute.f:
        known["f"] = _float(attribute.f)
    if attribute.HasField("t"):
        known["t"] = _tensor(attribute.t)
    return known


def _float(value: float) -> str | float:
    """Six digits as a string; the number itself where that is longer than nine characters."""
    text = f"{value:g}"
    return text if len(text) < 10 else float(np.float32(value))


def _c_escaped(data: bytes) -> str:
    letters = {10: "\\n", 13: "\\r", 9: "\\t", 34: '\\"', 39: "\\'", 92: "\\\\"}
    return "".join(letters.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data)


def _tensor(tensor: TensorProto) -> dict[str, Any]:
    fields = {
        "data_type": tensor.data_type,
        "dims": list(tensor.dims),
        "raw_data": _c_escaped(tensor.raw_data),
    }
    return {key: value for key, value in fields.items() if value}
