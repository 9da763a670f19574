"""Mode 3: which nodes of an ONNX model can be converted, as atc's check_result.json says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import make_folder, protect_input, write_atomically

from .input_shape import set_input_shapes
from .request import PreCheck

if TYPE_CHECKING:
    from maxpoolgrad_onnx.mapped_model import MappedModel

    from ..onnx_to_ge.survey import Outcome

_UNSUPPORTED_TYPE, _INVALID_PARAMETER = 1, 2  # atc's codes of causes
_RESULTS = {False: "success", True: "failed"}


def pre_check(request: PreCheck) -> None:
    """Write the report of a model. Raises MaxPoolGradError where a node cannot be converted, afterwards."""
    from maxpoolgrad_onnx.mapped_model import map_model

    protect_input(request.model, request.report)
    model = map_model(request.model)
    set_input_shapes(model.proto, request.input_shapes)
    report = report_on(model, request.model.stem)
    write_report(request.report, report)
    if report["fail"]:
        first = next(op for op in report["op"] if "cause" in op)
        raise MaxPoolGradError(
            f"{report['fail']} of {report['total']} nodes cannot be converted, the first: "
            f"{first['cause'][0]['message']}; {request.report} has them all",
            code="E16002" if first["cause"][0]["code"] == _UNSUPPORTED_TYPE else "E13014",
        )


def report_on(model: MappedModel, name: str) -> Mapping[str, Any]:
    """The report on a model of this name. Raises MaxPoolGradError where none of its nodes is to blame."""
    from ..onnx_to_ge.survey import survey

    ops = [_operator(outcome) for outcome in survey(model).outcomes]
    failed = sum("cause" in op for op in ops)
    return {
        "name": model.proto.graph.name or name,
        "result": _RESULTS[failed > 0],
        "total": len(ops),
        "pass": len(ops) - failed,
        "fail": failed,
        "op": ops,
    }


def write_report(path: Path, report: Mapping[str, Any]) -> None:
    """Write a report as JSON. Raises MaxPoolGradError where the file cannot be written."""
    make_folder(path.parent)  # as atc does
    write_atomically(path, f"{json.dumps(report, indent=4, ensure_ascii=False)}\n".encode())


def _operator(outcome: Outcome) -> dict[str, Any]:
    node, refusal = outcome.node, outcome.refusal
    name = node.name or next(iter(node.output), "")
    about = {"name": name, "type": node.op_type, "result": _RESULTS[refusal is not None]}
    if refusal is None:
        return about
    code = _UNSUPPORTED_TYPE if outcome.is_unknown else _INVALID_PARAMETER
    return {**about, "cause": [{"code": code, "message": refusal}]}
