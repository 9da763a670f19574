"""The operator's named cases on the device, or on the host: one model of all of them, compiled and run."""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import onnx
import onnx.helper

from maxpoolgrad_onnx import __version__, make_node
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import DOMAIN, INPUT_NAMES, OPSET_VERSION, OUTPUT_NAME
from maxpoolgrad_onnx.errors import MaxPoolGradError, one_line
from maxpoolgrad_onnx.files import write_atomically
from maxpoolgrad_onnx.opsets import IR_VERSION, NEWEST_OPSET

from ..compile import compile
from ..doctor import examine
from ..runtime import InferSession
from .cases import NamedCase, named_cases

WHERE = ("host", "device")


@dataclass(frozen=True)
class CaseResult:
    """One case on one kernel: "equal", "differs" (how much) or "not run" (why)."""

    kernel: str
    case: str
    result: Literal["equal", "differs", "not run"]
    detail: str = ""


@dataclass(frozen=True)
class SelfTest:
    """What ran where, and what came of it."""

    where: str
    soc_version: str
    cases: Sequence[CaseResult]

    @property
    def failures(self) -> list[CaseResult]:
        """What is not equal."""
        return [case for case in self.cases if case.result != "equal"]

    @property
    def problems(self) -> list[str]:
        """A sentence for each cause: cases that one cause keeps from running share it."""
        causes: dict[tuple[str, str, str], list[str]] = {}
        for case in self.failures:
            causes.setdefault((case.kernel, case.result, case.detail), []).append(case.case)
        return [
            f"{cases[0] if len(cases) == 1 else f'{len(cases)} cases'} ({kernel}) {result}: {detail}"
            for (kernel, result, detail), cases in causes.items()
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report, with what `maxpoolgrad doctor` finds on this machine, as JSON."""
        report = {
            "maxpoolgrad": __version__,
            "where": self.where,
            "soc_version": self.soc_version,
            "machine": [asdict(finding) for finding in examine()],
            "cases": [asdict(case) for case in self.cases],
        }
        write_atomically(path, (json.dumps(report, indent=2) + "\n").encode())


def selftest(where: str, soc_version: str, device: int = 0) -> SelfTest:
    """Run the named cases.

    Args:
        where: "device": compiled by the installed CANN's atc, with this project's package, and run by the
            NPU; "host": compiled by the embedded compiler, and run by the CPU kernel and by the CPU twin of
            the NPU's kernel.
        soc_version: the processor, such as Ascend910B1.
        device: the NPU's number.

    A case that does not run is a result, too; raises MaxPoolGradError for arguments only.
    """
    if where not in WHERE:
        raise MaxPoolGradError(f"the cases are to run on {where!r}; allowed are {' and '.join(WHERE)}")
    kernels = ("native", "twin") if where == "host" else ("device",)
    build = _on_host if where == "host" else _on_device
    cases = named_cases()
    with tempfile.TemporaryDirectory(prefix="maxpoolgrad-") as scratch:
        runs = [_run(kernel, cases, build, Path(scratch), soc_version, device) for kernel in kernels]
    return SelfTest(where, soc_version, [result for run in runs for result in run])


def _run(
    kernel: str,
    cases: Sequence[NamedCase],
    build: Callable[[Path, str], Path],
    scratch: Path,
    soc_version: str,
    device: int,
) -> list[CaseResult]:
    """All cases on one kernel; where their model cannot be compiled or run, that is each one's result."""
    source = scratch / "cases.onnx"
    source.write_bytes(_model(cases).SerializeToString())
    options: dict[str, Any] = {"kernel": kernel} if kernel != "device" else {}
    try:
        session = InferSession(device, build(source, soc_version), **options)
        try:
            outputs = session.infer(_feeds(cases))
        finally:
            session.free_resource()
    except MaxPoolGradError as error:
        return [CaseResult(kernel, case.name, "not run", str(error)) for case in cases]
    return [_compare(kernel, case, found) for case, found in zip(cases, outputs, strict=True)]


def _compare(kernel: str, case: NamedCase, found: Array) -> CaseResult:
    """By the operator's rule: NaN where NaN, a zero's sign free, all else to the bit."""
    same = (found == case.out_grad) | (np.isnan(found) & np.isnan(case.out_grad))
    if same.all():
        return CaseResult(kernel, case.name, "equal")
    where = tuple(int(index) for index in np.argwhere(~same)[0])
    count = int((~same).sum())
    return CaseResult(
        kernel,
        case.name,
        "differs",
        f"{count} of {same.size} values differ, the first at {list(where)}: {found[where]} instead of "
        f"{case.out_grad[where]}",
    )


def _on_host(source: Path, soc_version: str) -> Path:
    return compile(source, source.with_suffix(""), soc_version=soc_version, write_air=False).om


def _on_device(source: Path, soc_version: str) -> Path:
    from ..atc.cann import find_cann
    from ..atc.front_end import run

    cann = find_cann()
    if cann is None or cann.atc is None:
        raise MaxPoolGradError(
            "no atc of an installed CANN was found; install CANN and source its set_env.sh, or run the cases "
            "on the host (--on host)"
        )
    said = io.StringIO()
    words = {
        "backend": "cann",
        "framework": "5",
        "model": source,
        "output": source.with_suffix(""),
        "soc_version": soc_version,
        "precision_mode": "must_keep_origin_dtype",
    }
    if run([f"--{flag}={value}" for flag, value in words.items()], io.StringIO(), said):
        raise MaxPoolGradError(f"atc cannot compile the cases: {one_line(said.getvalue())}")
    return source.with_suffix(".om")


def _name(case: NamedCase, tensor: str) -> str:
    return f"{case.name}_{tensor}"


def _feeds(cases: Sequence[NamedCase]) -> Mapping[str, Array]:
    return {
        _name(case, name): array
        for case in cases
        for name, array in zip(INPUT_NAMES, case.inputs, strict=True)
    }


def _model(cases: Sequence[NamedCase]) -> onnx.ModelProto:
    """A node for each case, side by side."""
    nodes, inputs, outputs = [], [], []
    for case in cases:
        names = [_name(case, name) for name in INPUT_NAMES]
        out_grad = _name(case, OUTPUT_NAME)
        nodes.append(make_node(names, out_grad, name=case.name, **case.attributes))
        inputs += [_value(name, array) for name, array in zip(names, case.inputs, strict=True)]
        outputs.append(_value(out_grad, case.out_grad))
    graph = onnx.helper.make_graph(nodes, "cases", inputs, outputs)
    imports = [onnx.helper.make_opsetid("", NEWEST_OPSET), onnx.helper.make_opsetid(DOMAIN, OPSET_VERSION)]
    return onnx.helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION)


def _value(name: str, array: Array) -> onnx.ValueInfoProto:
    return onnx.helper.make_tensor_value_info(
        name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
    )
