"""--dynamic_batch_size, --dynamic_image_size and --dynamic_dims: from their text to profiles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..profiles import Kind, Profiles
from .flags import Value
from .input_shape import InputShape, Shapes

FLAGS = {
    "dynamic_batch_size": Kind.BATCH,
    "dynamic_image_size": Kind.IMAGE,
    "dynamic_dims": Kind.DIMS,
}
_LEAST, _MOST = 2, 100  # GE's own bounds
_IMAGE_AXES = (2, 3)


def read_profiles(values: Mapping[str, Value], shapes: Shapes) -> Profiles | None:
    """The profiles that the flags ask for; None where they ask for none.

    Raises MaxPoolGradError: E10009 for two of the flags, E10004 without --input_shape, E10040 for a range in
    it, E10031, E10018, E10019 for axes that the flag does not leave open, E10020, E10037 for profiles of a
    wrong length, E10035, E10036 for too few or too many, E10039 for one twice, E10045 where sizes and open
    axes are not as many.
    """
    given = [name for name in FLAGS if values.get(name)]
    if not given:
        return None
    if len(given) > 1:
        sentence = f"--{' and --'.join(given)} exclude each other; give one of them"
        raise MaxPoolGradError(sentence, code="E10009")
    (name,) = given
    _check_shapes(name, shapes)
    sizes = _sizes(name, str(values[name]))
    profiles = Profiles(FLAGS[name], {input: shape.sizes for input, shape in shapes.items()}, sizes)
    profiles.check()
    return profiles


def _sizes(name: str, text: str) -> Sequence[tuple[int, ...]]:
    separator = "," if FLAGS[name] is Kind.BATCH else ";"
    groups = [group.strip() for group in text.strip(f" {separator}").split(separator)]
    sizes = [_group(name, group) for group in groups]
    _check_count(name, sizes)
    return sizes


def _group(name: str, group: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,9}( *, *[0-9]{1,9})*", group):
        form = {Kind.BATCH: "1,2,4", Kind.IMAGE: "224,224;448,448", Kind.DIMS: "1,64;8,128"}[FLAGS[name]]
        sentence = f'--{name} has the profile {quoted(group)}; write it like "{form}"'
        raise MaxPoolGradError(sentence, code="E10003")
    sizes = tuple(int(size) for size in group.split(","))
    if FLAGS[name] is Kind.IMAGE and len(sizes) != len(_IMAGE_AXES):
        sentence = f"--{name} has the profile {quoted(group)}; it must be a height and a width"
        raise MaxPoolGradError(sentence, code="E10020")
    if 0 in sizes:
        sentence = f"--{name} has the profile {quoted(group)}; every size must be above 0"
        raise MaxPoolGradError(sentence, code="E10038")
    return sizes


def _check_count(name: str, sizes: Sequence[tuple[int, ...]]) -> None:
    if not _LEAST <= len(sizes) <= _MOST:
        count = "1 profile" if len(sizes) == 1 else f"{len(sizes)} profiles"
        sentence = f"--{name} has {count}; it takes {_LEAST} to {_MOST}"
        raise MaxPoolGradError(sentence, code="E10035" if len(sizes) < _LEAST else "E10036")
    lengths = {len(each) for each in sizes}
    if len(lengths) > 1:
        counts = " and ".join(map(str, sorted(lengths)))
        sentence = f"--{name} has profiles of {counts} sizes; give each as many"
        raise MaxPoolGradError(sentence, code="E10037")
    twice = next((each for each in sizes if sizes.count(each) > 1), None)
    if twice is not None:
        sentence = f"--{name} has the profile {','.join(map(str, twice))} twice; give it once"
        raise MaxPoolGradError(sentence, code="E10039")


def _check_shapes(name: str, shapes: Shapes) -> None:
    if not shapes:
        sentence = f"--{name} is given without --input_shape; say there which axes are -1"
        raise MaxPoolGradError(sentence, code="E10004")
    for input, shape in shapes.items():
        if any(low != high and high >= 0 for low, high in shape.ranges):
            sentence = f"--input_shape gives {quoted(input)} a range; with --{name} an open size is -1"
            raise MaxPoolGradError(sentence, code="E10040")
    if not any(shape.is_open for shape in shapes.values()):
        code = {Kind.BATCH: "E10031", Kind.IMAGE: "E10019", Kind.DIMS: "E10001"}[FLAGS[name]]
        sentence = f"--{name} is given, but --input_shape leaves no size open; write -1 for those"
        raise MaxPoolGradError(sentence, code=code)
    for input, shape in shapes.items():
        _check_axes(name, input, shape)


def _check_axes(name: str, input: str, shape: InputShape) -> None:
    """Refuse open axes that a batch size or an image size does not reach."""
    found = tuple(axis for axis, size in enumerate(shape.sizes) if size < 0)
    given = f"--input_shape gives {quoted(input)} the shape {list(shape.sizes)}"
    if FLAGS[name] is Kind.BATCH and found not in ((), (0,)):
        raise MaxPoolGradError(f"{given}; with --{name} only its first axis may be -1", code="E10018")
    if FLAGS[name] is Kind.IMAGE and found and (found != _IMAGE_AXES or len(shape.sizes) != 4):
        sentence = f"{given}; with --{name} the height and width of a 4-D input are -1, and nothing else"
        raise MaxPoolGradError(sentence, code="E10019")
