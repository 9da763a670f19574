"""--input_shape: its syntax, and what it does to a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.values import shape_of

if TYPE_CHECKING:
    from onnx import ModelProto, ValueInfoProto

Range: TypeAlias = tuple[int, int]
"""The lowest and the highest size of an axis; a highest of -1 stands for no bound."""


@dataclass(frozen=True)
class InputShape:
    """The shape of an input: sizes, -1 where one is open, and a range for each axis."""

    sizes: tuple[int, ...]
    ranges: tuple[Range, ...]

    @staticmethod
    def of(ranges: tuple[Range, ...]) -> InputShape:
        """The shape whose axes have these ranges."""
        return InputShape(tuple(low if low == high else -1 for low, high in ranges), ranges)

    @property
    def is_open(self) -> bool:
        """Whether an axis has no fixed size."""
        return -1 in self.sizes


Shapes: TypeAlias = Mapping[str, InputShape]

_FORM = 'write it like "x:1,3,8,8;labels:1"; an open size is -1 or a range such as 1~8'
_OPEN: Range = (0, -1)  # GE's own range of an axis of which nothing is known


def parse_input_shapes(text: str) -> Shapes:
    """Shapes by input name, of `a:1~8,3,-1,224;b:` (b is a scalar).

    A name may hold colons: the last one counts. Raises MaxPoolGradError for a malformed list (E10002), a
    dimension that is no size (E10011), and a range whose ends are the wrong way round (E10048).
    """
    shapes: dict[str, InputShape] = {}
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        name, colon, dims = entry.rpartition(":")
        if not colon or not name:
            raise MaxPoolGradError(
                f"--input_shape has the entry {quoted(entry)} without a name; {_FORM}", code="E10002"
            )
        if name in shapes:
            raise MaxPoolGradError(f"--input_shape names {quoted(name)} twice; give it once", code="E10002")
        parts = [part.strip() for part in dims.split(",")] if dims.strip() else []
        shapes[name] = InputShape.of(tuple(_range(name, part) for part in parts))
    return shapes


def _range(name: str, text: str) -> Range:
    if text == "-1":
        return _OPEN
    found = re.fullmatch(r"([0-9]{1,18})(?:~([0-9]{1,18}))?", text)
    if found is None:
        sentence = (
            f"--input_shape gives {quoted(name)} the dimension {quoted(text)}; it must be an int of 0 or "
            "more, -1, or a range such as 1~8"
        )
        raise MaxPoolGradError(sentence, code="E10011")
    low, high = int(found[1]), int(found[2] or found[1])
    if low > high:
        sentence = f"--input_shape gives {quoted(name)} the range {quoted(text)}; its lower end comes first"
        raise MaxPoolGradError(sentence, code="E10048")
    return low, high


def set_input_shapes(model: ModelProto, shapes: Shapes) -> None:
    """Give the model's named inputs these shapes, in place; the shapes inferred before are dropped.

    An open size stays what it was. Raises MaxPoolGradError for an input that the model does not have
    (E10016), another number of dimensions (E10049), and a size other than the one that the model fixes
    (E10050).
    """
    if not shapes:
        return
    inputs = open_inputs(model)
    for name, shape in shapes.items():
        if name not in inputs:
            has = ", ".join(inputs)
            raise MaxPoolGradError(
                f"--input_shape names {quoted(name)}; the model's inputs are {has}", code="E10016"
            )
        _set_shape(inputs[name], shape)
    del model.graph.value_info[:]


def open_inputs(model: ModelProto) -> Mapping[str, ValueInfoProto]:
    """What is given to the model when it runs, in order: its inputs without its weights."""
    weights = {initializer.name for initializer in model.graph.initializer}
    return {value.name: value for value in model.graph.input if value.name not in weights}


def _set_shape(value: ValueInfoProto, shape: InputShape) -> None:
    has = shape_of(value.type)
    if has is not None:
        _check(value.name, has, shape)
    dims = value.type.tensor_type.shape.dim
    if has is None:
        value.type.tensor_type.shape.SetInParent()
        for _ in shape.sizes:
            dims.add()
    for dim, size in zip(dims, shape.sizes, strict=True):
        if size >= 0:
            dim.dim_value = size


def _check(name: str, has: list[int | None], shape: InputShape) -> None:
    given = f"--input_shape gives {quoted(name)} the shape {list(shape.sizes)}"
    if len(has) != len(shape.sizes):
        sentence = f"{given}, {len(shape.sizes)} dimensions; the model's input has {len(has)}"
        raise MaxPoolGradError(sentence, code="E10049")
    for axis, (fixed, size) in enumerate(zip(has, shape.sizes, strict=True)):
        if fixed is not None and fixed != size:
            cure = ": export it with that dimension open" if size < 0 else ""
            raise MaxPoolGradError(
                f"{given}; the model fixes dimension {axis} to {fixed}{cure}", code="E10050"
            )
