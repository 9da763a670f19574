"""Every workload in every layout, dtype and processor that is asked for."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from maxpoolgrad_onnx.contract import DATA_FORMATS, DTYPES
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import make_folder, write_atomically

from ..bind import check_processor
from ..progress import Progress
from ..tables import Table
from .measure import Measurement, measure
from .plots import draw
from .traffic_table import traffic_table
from .workloads import WORKLOADS, Workload

SOC_VERSIONS = ("Ascend910B1", "Ascend950PR_9579")
BATCH = 32  # with fewer images cores share them, and read more of the same


@dataclass(frozen=True)
class KernelReport:
    """The measurements, in order."""

    measurements: Sequence[Measurement]

    def table(self) -> Table:
        """A row for each."""
        headers = (
            *("processor", "pooling", "layout", "dtype", "shape", "least MB", "traffic", "CANN's"),
            *("mean burst", "passes", "bound", "busiest core", "strategy"),
        )
        return Table("", headers, [_row(measurement) for measurement in self.measurements])

    def as_json(self) -> str:
        """The measurements as a JSON list, with the fields of Measurement."""
        return json.dumps([asdict(measurement) for measurement in self.measurements], indent=2)

    def as_markdown(self) -> str:
        """The traffic beside that of CANN's public operators, as a table of Markdown."""
        return traffic_table(self.measurements)

    def save(self, folder: str | os.PathLike[str]) -> tuple[Path, Path]:
        """Write kernel-report.json and kernel-report.png into a folder, which is made where it is missing.

        Raises MaxPoolGradError where that fails, or matplotlib is missing.
        """
        picture = draw(self.measurements)
        made = make_folder(Path(folder))
        data, plot = made / "kernel-report.json", made / "kernel-report.png"
        write_atomically(data, self.as_json().encode())
        write_atomically(plot, picture)
        return data, plot


def kernel_report(
    *,
    soc_versions: Sequence[str] = SOC_VERSIONS,
    data_formats: Sequence[str] = DATA_FORMATS,
    dtypes: Sequence[str] = DTYPES,
    batch: int = BATCH,
    workloads: Sequence[Workload] = WORKLOADS,
    progress: Progress | None = None,
) -> KernelReport:
    """Measure the kernels.

    Args:
        soc_versions: the processors.
        data_formats: "NCHW", "NHWC" or both.
        dtypes: "float16", "float32" or both.
        batch: images.
        workloads: the poolings.
        progress: called with (measurements done, measurements in all).

    Raises MaxPoolGradError: a value that is not allowed, or a kernel that is wrong.
    """
    for soc_version in soc_versions:
        check_processor(soc_version)
    for name, values, allowed in (("data_format", data_formats, DATA_FORMATS), ("dtype", dtypes, DTYPES)):
        for value in values:
            if value not in allowed:
                raise MaxPoolGradError(
                    f"{name} is {value!r}; allowed are {' and '.join(allowed)}", code="E10001"
                )
    if batch < 1:
        raise MaxPoolGradError(f"batch is {batch}; it must be 1 or more", code="E10001")
    runs = list(itertools.product(soc_versions, workloads, data_formats, dtypes))
    measurements = []
    for done, (soc_version, workload, data_format, dtype) in enumerate(runs):
        if progress is not None:
            progress(done, len(runs))
        measurements.append(measure(workload, soc_version, data_format, dtype, batch))
    if progress is not None:
        progress(len(runs), len(runs))
    return KernelReport(measurements)


def _row(measurement: Measurement) -> tuple[str, ...]:
    return (
        measurement.soc_version,
        measurement.workload.name,
        measurement.data_format,
        measurement.dtype,
        "x".join(map(str, measurement.shape)),
        f"{measurement.least / 1e6:.1f}",
        f"{measurement.traffic:.3f}",
        str(measurement.public or ""),
        f"{measurement.mean_burst:.0f}",
        f"{measurement.passes:.1f}" if measurement.passes else "",
        "" if measurement.bound is None else f"{measurement.bound:g}",
        f"{measurement.imbalance:.2f}",
        measurement.strategy,
    )
