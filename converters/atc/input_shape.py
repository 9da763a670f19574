"""--input_shape: its syntax, and what it does to a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.values import shape_of

if TYPE_CHECKING:
    from onnx import ModelProto, ValueInfoProto

Shapes: TypeAlias = Mapping[str, tuple[int, ...]]

_FORM = 'write it like "x:1,3,8,8;labels:1"'


def parse_input_shapes(text: str) -> Shapes:
    """Shapes by input name, of `a:1,3,8,8;b:` (b is a scalar).

    A name may hold colons: the last one counts. Raises MaxPoolGradError for a malformed list (E10002), a
    dimension that is no size (E10011), and a range or -1 (E10055), which need profiles.
    """
    shapes: dict[str, tuple[int, ...]] = {}
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        name, colon, dims = entry.rpartition(":")
        if not colon or not name:
            raise MaxPoolGradError(
                f"--input_shape has the entry {quoted(entry)} without a name; {_FORM}", code="E10002"
            )
        if name in shapes:
            raise MaxPoolGradError(f"--input_shape names {quoted(name)} twice; give it once", code="E10002")
        shapes[name] = tuple(_dim(name, part.strip()) for part in dims.split(",")) if dims.strip() else ()
    return shapes


def _dim(name: str, text: str) -> int:
    if re.fullmatch(r"-1|[0-9]+~(-1|[0-9]+)", text):
        sentence = (
            f"--input_shape gives {quoted(name)} the range {quoted(text)}, which the embedded compiler does "
            "not do; give every dimension one size"
        )
        raise MaxPoolGradError(sentence, code="E10055")
    if not re.fullmatch(r"[0-9]{1,18}", text):
        sentence = (
            f"--input_shape gives {quoted(name)} the dimension {quoted(text)}; it must be an int of 0 or more"
        )
        raise MaxPoolGradError(sentence, code="E10011")
    return int(text)


def set_input_shapes(model: ModelProto, shapes: Shapes) -> None:
    """Give the model's named inputs these shapes, in place; the shapes inferred before are dropped.

    Raises MaxPoolGradError for an input that the model does not have (E10016), another number of dimensions
    (E10049), and a size other than the one that the model fixes (E10050).
    """
    if not shapes:
        return
    weights = {initializer.name for initializer in model.graph.initializer}
    inputs = {value.name: value for value in model.graph.input if value.name not in weights}
    for name, shape in shapes.items():
        if name not in inputs:
            has = ", ".join(inputs)
            raise MaxPoolGradError(
                f"--input_shape names {quoted(name)}; the model's inputs are {has}", code="E10016"
            )
        _set_shape(inputs[name], shape)
    del model.graph.value_info[:]


def _set_shape(value: ValueInfoProto, shape: tuple[int, ...]) -> None:
    has = shape_of(value.type)
    if has is not None:
        _check(value.name, has, shape)
    tensor = value.type.tensor_type
    del tensor.shape.dim[:]
    tensor.shape.SetInParent()
    for size in shape:
        tensor.shape.dim.add().dim_value = size


def _check(name: str, has: list[int | None], shape: tuple[int, ...]) -> None:
    given = f"--input_shape gives {quoted(name)} the shape {list(shape)}"
    if len(has) != len(shape):
        sentence = f"{given}, {len(shape)} dimensions; the model's input has {len(has)}"
        raise MaxPoolGradError(sentence, code="E10049")
    for axis, (fixed, size) in enumerate(zip(has, shape, strict=True)):
        if fixed is not None and fixed != size:
            raise MaxPoolGradError(f"{given}; the model fixes dimension {axis} to {fixed}", code="E10050")
