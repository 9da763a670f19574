"""Mode 0 on the embedded compiler: the model that the request names, changed as it asks, compiled."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import is_same_file, protect_input

from .input_shape import set_input_shapes
from .out_nodes import cut_to_out_nodes
from .request import AIR, Conversion

if TYPE_CHECKING:
    from onnx import ModelProto

    from ..ge_ir import GeModel

_log = logging.getLogger(__name__)


def convert(request: Conversion) -> tuple[str, ...]:
    """Write `output`.om and, where it is not the input itself, `output`.air; the compiler's notices.

    Raises MaxPoolGradError with atc's code; then no output is written.
    """
    from ..compile import compile

    om, air = _with_suffix(request.output, ".om"), _with_suffix(request.output, ".air")
    protect_input(request.model, om)
    _log.info("reading %s", request.model)
    model = _load_air(request) if request.framework == AIR else _load_onnx(request)
    _log.info("compiling for %s", request.soc_version)
    compiled = compile(
        model,
        request.output,
        soc_version=request.soc_version,
        input_format=request.input_format,
        write_air=not is_same_file(request.model, air),
    )
    _log.info("wrote %s", compiled.om)
    return compiled.notices


def _load_onnx(request: Conversion) -> ModelProto:
    from maxpoolgrad_onnx.model_files import load_model

    with _as_model_error():
        model = load_model(request.model)
    set_input_shapes(model, request.input_shapes)
    cut_to_out_nodes(model, request.out_nodes)
    return model


def _load_air(request: Conversion) -> GeModel:
    from ..ge_ir import GeModel

    for flag, given in (("input_shape", request.input_shapes), ("out_nodes", request.out_nodes)):
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
