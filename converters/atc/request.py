"""What a command line asks for: the flags' values, checked together and turned into plain data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from maxpoolgrad_onnx.contract import check_soc_version
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from .cann import find_cann
from .flags import BY_NAME, DEFAULTS, Value
from .input_shape import Shapes, parse_input_shapes
from .out_nodes import OutNode, parse_out_nodes

ONNX = 5
AIR = 1

_DYNAMIC = ("dynamic_batch_size", "dynamic_image_size", "dynamic_dims")
_FRAMEWORKS = "it must be 5 (ONNX) or 1 (.air)"


@dataclass(frozen=True)
class Conversion:
    """Mode 0: make `output`.om, and `output`.air beside it."""

    model: Path
    framework: int
    output: Path
    soc_version: str
    input_format: str
    input_shapes: Shapes
    out_nodes: tuple[OutNode, ...]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class JsonView:
    """Mode 1: write the model `source` as JSON to `json`."""

    source: Path
    json: Path
    framework: int | None = None
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Display:
    """Mode 6: show the model `source`."""

    source: Path
    notices: tuple[str, ...] = ()


Request: TypeAlias = Conversion | JsonView | Display


def read_request(given: Mapping[str, Value]) -> Request:
    """The request that the given flags make. Raises MaxPoolGradError with atc's code."""
    values = {**DEFAULTS, **given}
    _check_backend(str(values["backend"]))
    _check_exclusive(given)
    _check_embedded(given)
    notices = _notices(given)
    if values["mode"] == 1:
        _require(values, "om", "json")
        framework = None if values["framework"] == -1 else int(values["framework"])
        return JsonView(Path(str(values["om"])), Path(str(values["json"])), framework, notices)
    if values["mode"] == 6:
        _require(values, "om")
        return Display(Path(str(values["om"])), notices)
    return _conversion(values, notices)


def _conversion(values: Mapping[str, Value], notices: tuple[str, ...]) -> Conversion:
    if values["framework"] == -1:
        raise MaxPoolGradError(f"--framework is missing; {_FRAMEWORKS}", code="E10007")
    _require(values, "soc_version", "output", "model")
    soc_version = str(values["soc_version"])
    check_soc_version(soc_version)
    return Conversion(
        model=Path(str(values["model"])),
        framework=int(values["framework"]),
        output=_output(str(values["output"])),
        soc_version=soc_version,
        input_format=str(values["input_format"]),
        input_shapes=parse_input_shapes(str(values["input_shape"])),
        out_nodes=parse_out_nodes(str(values["out_nodes"])),
        notices=notices,
    )


def _require(values: Mapping[str, Value], *names: str) -> None:
    for name in names:
        if not values[name]:
            raise MaxPoolGradError(f"--{name} is missing or empty; it is {BY_NAME[name].help}", code="E10054")


def _output(text: str) -> Path:
    if text.endswith("/") or os.path.isdir(text):
        sentence = (
            f"--output is {quoted(text)}, a folder; add a file name without a suffix: {text.rstrip('/')}/NAME"
        )
        raise MaxPoolGradError(sentence, code="E10022")
    return Path(text)


def _check_backend(backend: str) -> None:
    if backend != "cann":
        return
    found = find_cann()
    if found is None or found.atc is None:
        sentence = (
            "--backend is 'cann', but no atc was found on PATH, in ASCEND_HOME_PATH or at CANN's default "
            "places; install CANN and source its set_env.sh, or use --backend=embedded"
        )
    else:
        sentence = (
            "--backend is 'cann', but this version does not drive an installed atc; use --backend=embedded "
            f"and give the .air that it writes to {found.atc} with --framework=1"
        )
    raise MaxPoolGradError(sentence, code="E10055")


def _check_exclusive(given: Mapping[str, Value]) -> None:
    dynamic = [name for name in _DYNAMIC if given.get(name)]
    if len(dynamic) > 1:
        sentence = f"--{' and --'.join(dynamic)} exclude each other; give one of them"
        raise MaxPoolGradError(sentence, code="E10009")
    if given.get("precision_mode") and given.get("precision_mode_v2"):
        sentence = "--precision_mode and --precision_mode_v2 exclude each other; give one of them"
        raise MaxPoolGradError(sentence, code="E10056")


def _check_embedded(given: Mapping[str, Value]) -> None:
    for name, value in given.items():
        allowed = BY_NAME[name].embedded
        if allowed is None or str(value) in allowed or value == "":
            continue
        cure = f"allowed are {', '.join(allowed)}" if allowed else "leave it out"
        sentence = f"--{name} is {quoted(value)}, which the embedded compiler does not do; {cure}"
        raise MaxPoolGradError(sentence, code="E10055")


def _notices(given: Mapping[str, Value]) -> tuple[str, ...]:
    notices = []
    found = find_cann() if given.get("backend", "auto") == "auto" else None
    if found and found.atc:
        notices.append(f"{found.atc} is installed, but this version compiles with the embedded backend only")
    if given.get("check_report"):
        notices.append("--check_report belongs to mode 3; no report is written")
    return tuple(notices)
