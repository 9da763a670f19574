"""The kernel report: figures that can be checked by hand, and refusals."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.contract import DTYPES
from maxpoolgrad_onnx.converters import kernel_report as package
from maxpoolgrad_onnx.converters import twin
from maxpoolgrad_onnx.converters.kernel_report import WORKLOADS, Workload, kernel_report, measure
from maxpoolgrad_onnx.converters.kernel_report.paper import paper_passes
from maxpoolgrad_onnx.converters.kernel_report.public_operators import public_traffic
from support_kernel_table import BATCH, DOCS, table_in_docs

SMALL = Workload(8, 16, 2, 2, 0, "a test")
OVERLAPPING = Workload(9, 16, 3, 2, 1, "a test")


def test_a_measurement_by_hand() -> None:
    found = measure(SMALL, "Ascend910B1", "NCHW", "float16", 2)
    assert SMALL.name == "k2 s2 at 8x8"
    assert found.shape == (2, 16, 8, 8)
    assert found.least == 2 * (2 * 16 * (64 + 16 + 16 + 64))
    assert found.traffic == 1.0
    assert found.passes > 1
    assert found.imbalance >= 1
    assert found.mean_burst > 0


def test_the_same_pooling_in_nhwc_and_on_the_950() -> None:
    assert measure(OVERLAPPING, "Ascend910B1", "NHWC", "float32", 1).shape == (1, 9, 9, 16)
    threads = measure(OVERLAPPING, "Ascend950PR_9579", "NCHW", "float16", 1)
    assert threads.passes == 0
    assert threads.traffic >= 1


def test_twice_the_images_move_twice_the_bytes() -> None:
    one, two = (measure(OVERLAPPING, "Ascend910B1", "NCHW", "float16", batch) for batch in (1, 2))
    assert two.least == 2 * one.least


def test_a_wrong_kernel_gives_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = twin.max_pool_v3_grad

    def wrong(*arguments: object, **more: object) -> object:
        out_grad, report = honest(*arguments, **more)  # type: ignore[arg-type]
        return -out_grad, report

    monkeypatch.setattr(twin, "max_pool_v3_grad", wrong)
    with pytest.raises(MaxPoolGradError, match="its bits are not the CPU kernel's"):
        measure(SMALL, "Ascend910B1", "NCHW", "float16", 1)


def test_report_table_and_files(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    report = kernel_report(
        dtypes=["float16"],
        data_formats=["NCHW"],
        batch=1,
        workloads=[SMALL, OVERLAPPING],
        progress=lambda *step: told.append(step),
    )
    assert [m.soc_version for m in report.measurements] == ["Ascend910B1"] * 2 + ["Ascend950PR_9579"] * 2
    assert told == [(n, 4) for n in range(5)]
    table = report.table()
    assert len(table.rows) == 4
    assert all(len(row) == len(table.headers) for row in table.rows)
    data, plot = report.save(tmp_path / "made" / "here")
    assert [entry["workload"]["kernel"] for entry in json.loads(data.read_text())] == [2, 3, 2, 3]
    content = plot.read_bytes()
    assert content.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", content[16:24]) == (1728, 1195)


def test_a_plot_without_vector_instructions(tmp_path: Path) -> None:
    report = kernel_report(
        soc_versions=["Ascend950PR_9579"],
        dtypes=["float32"],
        data_formats=["NCHW"],
        batch=1,
        workloads=[SMALL],
    )
    assert report.save(tmp_path)[1].stat().st_size > 1000


def test_without_matplotlib_the_table_is_still_there() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from maxpoolgrad_onnx.converters.kernel_report import Workload, kernel_report\n"
        "report = kernel_report(soc_versions=['Ascend910B1'], data_formats=['NCHW'], dtypes=['float16'], "
        "batch=1, workloads=[Workload(8, 16, 2, 2, 0, '')])\n"
        "print(len(report.table().rows))\n"
        "try: report.save('nowhere')\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "1"
    assert lines[1].startswith("MaxPoolGradError the plot needs matplotlib")


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"dtypes": ["bfloat16"]}, "dtype is 'bfloat16'; allowed are float16 and float32"),
        ({"data_formats": ["ND"]}, "data_format is 'ND'; allowed are NCHW and NHWC"),
        ({"batch": 0}, "batch is 0; it must be 1 or more"),
        ({"soc_versions": ["Ascend310P3"]}, "is not supported"),
    ],
)
def test_refusals(arguments: dict[str, object], found: str) -> None:
    with pytest.raises(MaxPoolGradError, match=found):
        kernel_report(**arguments)  # type: ignore[arg-type]


def test_public_operators() -> None:
    k2, k3s2, k3s1, k13 = WORKLOADS
    assert str(public_traffic(k2, "Ascend910B1", "float32")) == "0.6 to 0.7"
    assert str(public_traffic(k3s1, "Ascend910_9391", "float16")) == "3.23"
    assert str(public_traffic(k13, "Ascend910B1", "float32")) == "1.09"
    assert str(public_traffic(k3s2, "Ascend950PR_9579", "float16")) == "1.4"
    assert public_traffic(k13, "Ascend950PR_9579", "float16") is None
    assert public_traffic(k3s1, "Ascend950PR_9579", "float32") is None


def test_bounds_on_paper_are_those_of_the_docs() -> None:
    (row,) = re.findall(r"^\| \*\*bound\*\* \|(.*)\|$", DOCS.read_text(), re.MULTILINE)
    bounds = [paper_passes(workload, "Ascend910B1", "NCHW", "float16") for workload in WORKLOADS]
    assert bounds == [float(cell.strip(" *")) for cell in row.split("|")]
    assert paper_passes(WORKLOADS[0], "Ascend910B1", "NCHW", "float32") is None
    assert paper_passes(WORKLOADS[0], "Ascend910B1", "NHWC", "float16") is None
    assert paper_passes(WORKLOADS[0], "Ascend950PR_9579", "NCHW", "float16") is None


def test_the_traffic_table() -> None:
    report = kernel_report(
        soc_versions=["Ascend950PR_9579", "Ascend910B1"], dtypes=["float32"], batch=1, workloads=[SMALL]
    )
    a, b, c, d = (f"{m.traffic:.3f}" for m in report.measurements)
    assert report.as_markdown().splitlines() == [
        "| pooling | dtype | Ascend950PR_9579 NCHW | Ascend950PR_9579 NHWC | Ascend950PR_9579, CANN's "
        "max_pool_v3_grad, estimated | Ascend910B1 NCHW | Ascend910B1 NHWC | Ascend910B1, CANN's "
        "max_pool3d_grad_with_argmax, from indices |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        f"| k2 s2, 1 x 16 x 8 x 8 | float32 | {a} | {b} | 1.1 | {c} | {d} | 0.6 to 0.7 |",
    ]


def test_the_table_in_the_docs_is_what_the_report_says(scale: Callable[[int, int], int]) -> None:
    full = scale(0, 1) == 1
    workloads = [w for w in WORKLOADS if full or (w.kernel, w.stride) == (3, 1)]
    report = kernel_report(batch=BATCH, dtypes=DTYPES if full else ("float16",), workloads=workloads)
    missing = set(report.as_markdown().splitlines()) - set(table_in_docs().splitlines())
    assert not missing, f"not in {DOCS.name}; run `python tests/support_kernel_table.py`: {missing}"
    assert len(table_in_docs().splitlines()) == 2 + len(WORKLOADS) * len(DTYPES)


def test_public_names() -> None:
    assert all(hasattr(package, name) for name in package.__all__)
