"""Run as a program, in a process of its own: what onnx says of models before and after register_schema().

Prints one JSON object.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import onnx
import onnx.checker
import onnx.defs
import onnx.parser
import onnx.shape_inference

import maxpoolgrad_onnx as mpg

SPELLINGS = ("MaxPoolV3Grad", "NPUMaxPoolV3Grad")

IN_A_FUNCTION = """
<ir_version: 9, opset_import: ["" : 18, "npu" : 1, "own" : 1]>
graph (float[1,1,4,4] x, float[1,1,2,2] y, float[1,1,2,2] g) => (float[1,1,4,4] out)
{ out = own.Wrapped <pads = [{top}, 0, 0, 0]> (x, y, g) }
<domain: "own", opset_import: ["" : 18, "npu" : 1]>
Wrapped <pads> (a, b, c) => (d)
{ d = npu.MaxPoolV3Grad <ksize = [1, 1, 2, 2], strides = [1, 1, 2, 2], pads: ints = @pads> (a, b, c) }
"""


def right(spelling: str) -> onnx.ModelProto:
    model = mpg.make_model((2, 3, 8, 8), ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2], name="pool")
    model.graph.node[0].op_type = spelling
    return model


def with_attribute(name: str, value: Any) -> Callable[[onnx.ModelProto], None]:
    def change(model: onnx.ModelProto) -> None:
        node = model.graph.node[0]
        kept = [attribute for attribute in node.attribute if attribute.name != name]
        del node.attribute[:]
        node.attribute.extend(kept)
        if value is not None:
            node.attribute.append(onnx.helper.make_attribute(name, value))

    return change


def with_size(inputs: list[int], axis: int, size: int) -> Callable[[onnx.ModelProto], None]:
    def change(model: onnx.ModelProto) -> None:
        values = [*model.graph.input, *model.graph.output]
        for index in inputs:
            values[index].type.tensor_type.shape.dim[axis].dim_value = size

    return change


def with_type(indices: list[int], element: int) -> Callable[[onnx.ModelProto], None]:
    def change(model: onnx.ModelProto) -> None:
        values = [*model.graph.input, *model.graph.output]
        for index in indices:
            values[index].type.tensor_type.elem_type = element

    return change


def two_inputs(model: onnx.ModelProto) -> None:
    del model.graph.node[0].input[2]


CHANGES: dict[str, Callable[[onnx.ModelProto], None]] = {
    "right": lambda model: None,
    "attribute of a wrong type": with_attribute("ksize", "abc"),
    "unknown attribute": with_attribute("dilations", [1, 1]),
    "missing attribute": with_attribute("strides", None),
    "two inputs": two_inputs,
    "negative pad": with_attribute("pads", [-1, 0, 0, 0]),
    "global_pooling 2": with_attribute("global_pooling", 2),
    "grad of another shape": with_size([2], 3, 5),
    "orig_output of another size": with_size([1, 2], 2, 5),
    "dtypes that differ": with_type([1], onnx.TensorProto.FLOAT16),
    "float64": with_type([0, 1, 2, 3], onnx.TensorProto.DOUBLE),
    "another declared output": with_size([3], 2, 7),
}


def verdict(model: onnx.ModelProto) -> str:
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


def changed(spelling: str, change: Callable[[onnx.ModelProto], None]) -> onnx.ModelProto:
    model = right(spelling)
    change(model)
    return model


def inferred(model: onnx.ModelProto) -> list[int]:
    model.graph.output[0].type.tensor_type.ClearField("shape")
    [value] = onnx.shape_inference.infer_shapes(model).graph.output
    return [dim.dim_value for dim in value.type.tensor_type.shape.dim]


def main() -> None:
    before = {
        "known": onnx.defs.has("MaxPoolV3Grad", domain="npu"),
        "wrong ksize": verdict(changed("MaxPoolV3Grad", CHANGES["attribute of a wrong type"])),
    }
    mpg.register_schema()
    mpg.register_schema()
    report = {
        "before": before,
        "known": [onnx.defs.has(spelling, domain="npu") for spelling in SPELLINGS],
        "verdicts": {
            spelling: {what: verdict(changed(spelling, change)) for what, change in CHANGES.items()}
            for spelling in SPELLINGS
        },
        "inferred": {spelling: inferred(right(spelling)) for spelling in SPELLINGS},
        "function": {
            "shape": inferred(onnx.parser.parse_model(IN_A_FUNCTION.replace("{top}", "0"))),
            "negative pad": verdict(onnx.parser.parse_model(IN_A_FUNCTION.replace("{top}", "-1"))),
        },
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
