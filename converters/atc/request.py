"""What a command line asks the embedded backend for: the flags' values, checked together, as plain data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from maxpoolgrad_onnx.contract import check_soc_version
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..ge_ir import DataType
from ..precision import Precision
from ..profiles import Profiles
from .command_line import CommandLine
from .dynamic import read_profiles
from .flags import BY_NAME, DEFAULTS, Value
from .input_shape import Shapes, parse_input_shapes
from .other_flags import REFUSED
from .out_nodes import Out, parse_out_nodes
from .output_type import parse_output_types

ONNX = 5
AIR = 1

_FRAMEWORKS = "it must be 5 (ONNX) or 1 (.air)"
_PRECISIONS = {
    "must_keep_origin_dtype": Precision.ORIGIN,
    "origin": Precision.ORIGIN,
    # It lowers an operator that does not take float32, and all that are converted do.
    "allow_fp32_to_fp16": Precision.ORIGIN,
    "force_fp16": Precision.FP16,
    "fp16": Precision.FP16,
    "allow_mix_precision": Precision.MIXED,
    "allow_mix_precision_fp16": Precision.MIXED,
    "mixed_float16": Precision.MIXED,
}
PRECISION_NOTICE = (
    "element types are kept (--precision_mode=must_keep_origin_dtype); atc's own default is force_fp16, "
    "under which an orig_output that is rounded otherwise than its orig_input loses its gradients"
)


@dataclass(frozen=True)
class Conversion:
    """Mode 0: make `output`.om, and `output`.air beside it; `report` is a pre-check's, where one is asked
    for."""

    model: Path
    framework: int
    output: Path
    soc_version: str
    input_format: str
    input_shapes: Shapes
    out_nodes: tuple[Out, ...]
    output_types: tuple[DataType | None, ...] = ()
    precision: Precision = Precision.ORIGIN
    profiles: Profiles | None = None
    report: Path | None = None
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class PreCheck:
    """Mode 3: say of each node whether it can be converted, in `report`."""

    model: Path
    framework: int
    report: Path
    input_shapes: Shapes
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class JsonView:
    """Modes 1 and 5: write the model `source` as JSON to `json`.

    `is_text`: the source is GE's text dump; `with_shapes`: infer those of an ONNX model.
    """

    source: Path
    json: Path
    framework: int | None = None
    is_text: bool = False
    with_shapes: bool = False
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Display:
    """Mode 6: show the model `source`."""

    source: Path
    notices: tuple[str, ...] = ()


Request: TypeAlias = Conversion | PreCheck | JsonView | Display


def read_request(line: CommandLine) -> Request:
    """The request that the given flags make. Raises MaxPoolGradError with atc's code."""
    given = line.values()
    values = {**DEFAULTS, **given}
    _check_others(line)
    _check_embedded(given)
    notices = _notices(line)
    match values["mode"]:
        case 1 | 5:
            return _json_view(values, notices)
        case 3:
            return _pre_check(values, notices)
        case 6:
            _require(values, "om")
            return Display(Path(str(values["om"])), notices)
    return _conversion(values, given, notices)


def _json_view(values: Mapping[str, Value], notices: tuple[str, ...]) -> JsonView:
    _require(values, "om", "json")
    framework = None if values["framework"] == -1 else int(values["framework"])
    source, target = Path(str(values["om"])), Path(str(values["json"]))
    return JsonView(source, target, framework, values["mode"] == 5, values["dump_mode"] == 1, notices)


def _pre_check(values: Mapping[str, Value], notices: tuple[str, ...]) -> PreCheck:
    framework = _framework(values)
    _require(values, "model", "check_report")
    if framework == AIR:
        sentence = "--mode is 3 and --framework is 1; nodes of ONNX models only are checked: leave out --mode"
        raise MaxPoolGradError(sentence, code="E10055")
    shapes = parse_input_shapes(str(values["input_shape"]))
    report = Path(str(values["check_report"]))
    return PreCheck(Path(str(values["model"])), framework, report, shapes, notices)


def _conversion(
    values: Mapping[str, Value], given: Mapping[str, Value], notices: tuple[str, ...]
) -> Conversion:
    framework = _framework(values)
    _require(values, "soc_version", "output", "model")
    soc_version = str(values["soc_version"])
    check_soc_version(soc_version)
    shapes = parse_input_shapes(str(values["input_shape"]))
    out_nodes = parse_out_nodes(str(values["out_nodes"]))
    precision, told = _precision(given)
    return Conversion(
        model=Path(str(values["model"])),
        framework=framework,
        output=_output(str(values["output"])),
        soc_version=soc_version,
        input_format=str(values["input_format"]),
        input_shapes=shapes,
        out_nodes=out_nodes,
        output_types=parse_output_types(str(values["output_type"]), out_nodes),
        precision=precision,
        profiles=read_profiles(values, shapes),
        report=Path(str(given["check_report"])) if given.get("check_report") else None,
        notices=(*notices, *told),
    )


def _framework(values: Mapping[str, Value]) -> int:
    if values["framework"] == -1:
        raise MaxPoolGradError(f"--framework is missing; {_FRAMEWORKS}", code="E10007")
    return int(values["framework"])


def _precision(given: Mapping[str, Value]) -> tuple[Precision, tuple[str, ...]]:
    """The precision asked for, and what to tell where nothing was."""
    words = [given.get(name) for name in ("precision_mode", "precision_mode_v2")]
    if all(words):
        sentence = "--precision_mode and --precision_mode_v2 exclude each other; give one of them"
        raise MaxPoolGradError(sentence, code="E10056")
    word = words[0] or words[1]
    return (_PRECISIONS[str(word)], ()) if word else (Precision.ORIGIN, (PRECISION_NOTICE,))


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


def _check_others(line: CommandLine) -> None:
    refused = [name for name in line.others() if name in REFUSED]
    if refused:
        sentence = f"--{refused[0]} is given, which changes what the model computes or takes"
        raise MaxPoolGradError(
            f"{sentence}; the embedded compiler does not do that: leave it out, or use --backend=cann",
            code="E10055",
        )


def _check_embedded(given: Mapping[str, Value]) -> None:
    for name, value in given.items():
        allowed = BY_NAME[name].embedded
        if not allowed or str(value) in allowed or value == "":
            continue
        sentence = f"--{name} is {quoted(value)}, which the embedded compiler does not do"
        raise MaxPoolGradError(f"{sentence}; allowed are {', '.join(allowed)}", code="E10055")


def _notices(line: CommandLine) -> tuple[str, ...]:
    ignored = [f"--{name}" for name in line.others()]
    if not ignored:
        return ()
    verb = "is" if len(ignored) == 1 else "are"
    return (f"{', '.join(ignored)} {verb} ignored: the embedded compiler has no such choice",)
