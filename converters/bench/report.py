"""The measurements as tables, and the files of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from maxpoolgrad_onnx.files import write_atomically

from ..progress import Progress
from ..tables import Table
from .machine import machine
from .measure import Conditions, Measurement, measure
from .peers import OURS, ROOF
from .workloads import chosen


@dataclass(frozen=True)
class Report:
    """What a run has measured, in the workloads' order."""

    conditions: Conditions
    measurements: tuple[Measurement, ...]

    def table(self) -> Table:
        """Our minimum and median, the share of the roof, and each other library's time by ours."""
        others = list(
            dict.fromkeys(name for m in self.measurements for name in m.times if name not in (OURS, ROOF))
        )
        headers = [
            f"{self.conditions.dtype} {self.conditions.data_format}",
            "minimum",
            "median",
            "of the roof",
            *others,
        ]
        return Table("", headers, [_row(measurement, others) for measurement in self.measurements])

    def as_markdown(self) -> str:
        """The table, and the machine and the conditions above it."""
        c, table = self.conditions, self.table()
        lines = [
            f"{machine()}; threads: {c.threads}, {c.data} data, {c.rounds} rounds, {c.clock} time.",
            "",
            _line(table.headers),
            _line(["---"] * len(table.headers)),
            *(_line([str(cell) for cell in row]) for row in table.rows),
        ]
        return "\n".join(lines) + "\n"

    def save(self, folder: str) -> list[Path]:
        """Write bench.md and bench.png into the folder."""
        from .picture import draw

        to = Path(folder)
        to.mkdir(parents=True, exist_ok=True)
        files = {to / "bench.md": self.as_markdown().encode(), to / "bench.png": draw(self.measurements)}
        for path, data in files.items():
            write_atomically(path, data)
        return list(files)


def bench(conditions: Conditions, words: str, progress: Progress) -> Report:
    """Measure the workloads whose names hold the words."""
    workloads = chosen(words)
    total, done = len(workloads) * conditions.rounds, 0

    def tick() -> None:
        nonlocal done
        done += 1
        progress(done, total)

    return Report(conditions, tuple(measure(workload, conditions, tick) for workload in workloads))


def _row(measurement: Measurement, others: Sequence[str]) -> list[str]:
    ours = measurement.times[OURS]
    ratios = [f"{measurement.ratio(name):.1f} x" if name in measurement.times else "" for name in others]
    share = f"{measurement.share_of_roof:.0%}"
    return [measurement.workload.name, _time(ours.minimum), _time(ours.median), share, *ratios]


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} us"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
