"""The measurements as tables, and the files of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from maxpoolgrad_onnx.files import write_atomically

from ..progress import Progress
from ..tables import Table
from .machine import machine
from .measure import Conditions, Measurement, measure
from .names import KERNEL, OURS, ROOF, SCALAR, SESSION
from .workloads import Workload

# What does the whole work: what is given the indices, or has less threads or wider elements, does not.
_RIVALS = (SCALAR, "torch NCHW", "torch channels_last", "tensorflow", "jax")


@dataclass(frozen=True)
class Report:
    """What a run has measured, in the workloads' order."""

    conditions: Conditions
    measurements: tuple[Measurement, ...]
    title: str

    def table(self) -> Table:
        """Our minimum and median, the share of the roof, and each other way's time by ours."""
        named = dict.fromkeys(name for m in self.measurements for name in m.times)
        others = [name for name in named if name not in (OURS, ROOF, KERNEL)]
        c = self.conditions
        headers = [f"{c.dtype} {c.data_format}", "minimum", "median", "of the roof", *others]
        return Table("", headers, [_row(measurement, others) for measurement in self.measurements])

    def slower(self) -> Iterator[str]:
        """A sentence for every workload on which the operator is slower than what does the same work."""
        for measurement in self.measurements:
            for name in _RIVALS:
                if name in measurement.times and measurement.ratio(name) < 1:
                    times = 1 / measurement.ratio(name)
                    yield f"slower than {name}, {times:.2f} x its time: {measurement.workload.name}"

    def as_markdown(self) -> str:
        """The table, and the machine and the conditions above it."""
        c, table = self.conditions, self.table()
        lines = [
            f"{self.title}; {c.rounds} rounds, {c.clock} time. {machine()}.",
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
        picture = draw(self.measurements, self.title)
        files = {to / "bench.md": self.as_markdown().encode(), to / "bench.png": picture}
        for path, data in files.items():
            write_atomically(path, data)
        return list(files)


def bench(conditions: Conditions, workloads: Sequence[Workload], title: str, progress: Progress) -> Report:
    """Measure the workloads."""
    total, done = len(workloads) * conditions.rounds, 0

    def tick() -> None:
        nonlocal done
        done += 1
        progress(done, total)

    measurements = tuple(measure(workload, conditions, tick) for workload in workloads)
    return Report(conditions, measurements, title)


def _row(measurement: Measurement, others: Sequence[str]) -> list[str]:
    ours = measurement.times[OURS]
    share = f"{measurement.share_of_roof:.0%}"
    cells = [_cell(measurement, name) if name in measurement.times else "" for name in others]
    return [measurement.workload.name, _time(ours.minimum), _time(ours.median), share, *cells]


def _cell(measurement: Measurement, name: str) -> str:
    """How many times as long; of a session, how much longer."""
    if name != SESSION:
        return f"{measurement.ratio(name):.1f} x"
    more = measurement.times[SESSION].minimum - measurement.times[OURS].minimum
    return f"{'-' if more < 0 else '+'}{_time(abs(more))}"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} us"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
