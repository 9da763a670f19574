"""Mode 0 on the embedded compiler: the model that the request names, changed as it asks, compiled."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.files import is_same_file, make_folder, protect_input
from maxpoolgrad_onnx.values import shape_of

from .input_shape import open_inputs, set_input_shapes
from .out_nodes import cut_to_out_nodes
from .pre_check import report_on, write_report
from .request import AIR, Conversion

if TYPE_CHECKING:
    from onnx import ModelProto

    from maxpoolgrad_onnx.mapped_model import MappedModel

    from ..adaptation import Adaptation
    from ..ge_ir import GeModel

_log = logging.getLogger(__name__)


def convert(request: Conversion) -> tuple[str, ...]:
    """Write `output`.om and, where it is not the input itself, `output`.air; the compiler's notices.

    Raises MaxPoolGradError with atc's code; then no output is written.
    """
    from ..compile import compile
    from ..progress import progress_bar

    om, air = _with_suffix(request.output, ".om"), _with_suffix(request.output, ".air")
    protect_input(request.model, om)
    _log.info("reading %s", request.model)
    model = _load_air(request) if request.framework == AIR else _load_onnx(request)
    make_folder(om.parent)  # as atc does
    _log.info("compiling for %s", request.soc_version)
    with progress_bar("compiling") as progress:
        compiled = compile(
            model,
            request.output,
            soc_version=request.soc_version,
            input_format=request.input_format,
            adaptation=_adaptation(request),
            write_air=not is_same_file(request.model, air),
            progress=progress,
        )
    _log.info("wrote %s", compiled.om)
    return compiled.notices


def _load_onnx(request: Conversion) -> MappedModel:
    from maxpoolgrad_onnx.mapped_model import map_model

    with _as_model_error():
        mapped = map_model(request.model)
    model = mapped.proto
    set_input_shapes(model, request.input_shapes)
    cut_to_out_nodes(model, request.out_nodes)
    _check_open_inputs(model, request)
    if request.report is not None:
        protect_input(request.model, request.report)
        write_report(request.report, report_on(mapped, request.model.stem))
    return mapped


def _check_open_inputs(model: ModelProto, request: Conversion) -> None:
    """With profiles, the inputs of which a size is open must be those that they fix."""
    if request.profiles is None:
        return
    inputs = open_inputs(model)
    for name, value in inputs.items():
        shape = shape_of(value.type)
        if name not in request.profiles.shapes and (shape is None or None in shape):
            sentence = f"--input_shape leaves out {quoted(name)}, of which the model leaves a size open"
            raise MaxPoolGradError(f"{sentence}; name every such input", code="E10001")
    cut = next((name for name in request.profiles.shapes if name not in inputs), None)
    if cut is not None:
        sentence = f"--input_shape names {quoted(cut)}, which the outputs in --out_nodes do not need"
        raise MaxPoolGradError(f"{sentence}; leave it out", code="E10016")


def _adaptation(request: Conversion) -> Adaptation:
    from ..adaptation import Adaptation

    ranges = {
        name: shape.ranges
        for name, shape in request.input_shapes.items()
        if shape.is_open and request.profiles is None
    }
    return Adaptation(request.precision, request.output_types, ranges, request.profiles)


def _load_air(request: Conversion) -> GeModel:
    from ..ge_ir import GeModel

    flags = (
        ("input_shape", request.input_shapes),
        ("out_nodes", request.out_nodes),
        ("check_report", request.report),
    )
    for flag, given in flags:
        if given:
            sentence = f"--{flag} is given with --framework=1; it works on ONNX models only: leave it out"
            raise MaxPoolGradError(sentence, code="E10055")
    with _as_model_error():
        return GeModel.load(request.model)


@contextmanager
def _as_model_error() -> Iterator[None]:
    """Give an error in a model file atc's code for that, where it has none of its own."""
    try:
        yield
    except MaxPoolGradError as error:
        raise MaxPoolGradError(str(error), code=error.code or "E10041") from error


def _with_suffix(path: Path, suffix: str) -> Path:
    """atc adds the suffix to whatever the path ends in."""
    return path.with_name(path.name + suffix)
