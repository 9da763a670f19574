"""maxpoolgrad bench: what it shows, and what it writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from maxpoolgrad_onnx.converters.bench import measure as measure_module
from maxpoolgrad_onnx.converters.bench.measure import Conditions, Measurement, Times, measure
from maxpoolgrad_onnx.converters.bench.names import KERNEL, OURS, ROOF, SCALAR, SESSION
from maxpoolgrad_onnx.converters.bench.report import Report
from maxpoolgrad_onnx.converters.bench.workloads import WORKLOADS, square
from maxpoolgrad_onnx.converters.cli.main import main

SMALL = square((2, 3, 9, 8), 3, 2, 1)
FAST = Conditions(rounds=2, pause=0, beside=("torch", SESSION))
TIMES = {
    OURS: Times(2e-3, 3e-3),
    ROOF: Times(1e-3, 9e-3),
    "jax": Times(7e-3, 8e-3),
    SESSION: Times(2.01e-3, 3e-3),
    KERNEL: Times(1e-3, 2e-3),
    SCALAR: Times(8e-4, 1e-3),
}


def test_every_round_is_counted() -> None:
    ticks: list[int] = []
    measurement = measure(SMALL, FAST, lambda: ticks.append(1))
    assert len(ticks) == FAST.rounds
    torch = ["torch NCHW", "torch channels_last", "torch with indices"]
    assert list(measurement.times) == [OURS, ROOF, *torch, SESSION]
    assert all(0 < times.minimum <= times.median for times in measurement.times.values())


def test_what_is_outdone_or_long_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = dict.fromkeys(["quick", "outdone", "long"], 0)
    now = 0.0

    def way(name: str, seconds: float) -> Callable[[], None]:
        def call() -> None:
            nonlocal now
            now += seconds
            runs[name] += 1

        return call

    calls = {OURS: [way("quick", 0.01), way("outdone", 0.02)], ROOF: [way("long", 1)]}
    monkeypatch.setattr(measure_module, "ways", lambda *arguments: calls)
    monkeypatch.setitem(measure_module.CLOCKS, "wall", lambda: now)
    times = measure(SMALL, Conditions(rounds=10, pause=0), lambda: None).times
    assert runs == {"quick": 11, "outdone": 4, "long": 4}  # one before the rounds
    assert times[OURS].minimum == pytest.approx(0.01)


def test_the_table_compares_minima() -> None:
    report = Report(FAST, (Measurement(SMALL, TIMES),), FAST.title)
    headers = ["float32 NCHW", "minimum", "median", "of the roof", "jax", "session", "scalar"]
    assert report.table().headers == headers
    cells = ["2x3x9x8 k3 s2 p1", "2.00 ms", "3.00 ms", "50%", "3.5 x", "+10.0 us", "0.8 x"]
    assert report.table().rows == [cells]
    assert f"| {' | '.join(cells)} |" in report.as_markdown()
    assert report.as_markdown().startswith("float32 NCHW, random data, 1 thread; 2 rounds, wall time. ")


def test_who_is_faster_is_named() -> None:
    [sentence] = Report(FAST, (Measurement(SMALL, TIMES),), FAST.title).slower()
    assert sentence == "slower than scalar, 1.25 x its time: 2x3x9x8 k3 s2 p1"


def test_the_command_writes_a_table_and_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], scale: Callable[[int, int], int]
) -> None:
    only = ["--only", "64x16x8x8"] if scale(1, 0) else []
    assert main(["bench", *only, "--rounds", "1", "--pause", "0", "--output", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "64x16x8x8 k2 s2" in shown
    assert "of the roof" in shown
    assert "target " in (tmp_path / "bench.md").read_text(encoding="utf-8")
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")


def test_poolings_at_random(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--drawn", "2", "--seed", "5", "--rounds", "1", "--pause", "0", "--beside", "scalar"]
    assert main(["bench", *arguments]) == 0
    shown = capsys.readouterr().out
    assert "1x12x18x18 k6 s5" in shown
    assert "1x3x53x21 k2x3 s4x5 p1" in shown


PLACE = "<!-- bench: float32 NCHW, random data, 1 thread -->\nold\n<!-- end -->\n"


def test_a_page_is_filled(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    other = PLACE.replace("1 thread", "2 threads")
    page.write_text(f"before\n{other}{PLACE}after\n", encoding="utf-8")
    arguments = ["--rounds", "1", "--pause", "0", "--beside", "scalar", "--into", str(page)]
    for _ in range(2):
        assert main(["bench", "--only", "64x16x8x8", *arguments]) == 0
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"before\n{other}<!-- bench: float32 NCHW, random data, 1 thread -->\nfloat32")
        assert text.endswith(" x |\n<!-- end -->\nafter\n")
        assert text.count("64x16x8x8") == 1
    page.write_text(PLACE.replace("1 thread", "1 thread, 1 poolings at random, seed 5"), encoding="utf-8")
    assert main(["bench", "--drawn", "1", "--seed", "5", *arguments]) == 0
    assert "| 1x12x18x18 k6 s5 |" in page.read_text(encoding="utf-8")


def test_a_page_without_the_place_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text(PLACE, encoding="utf-8")
    assert main(["bench", "--threads", "2", "--into", str(page)]) == 1
    said = capsys.readouterr().err
    assert "no place for 'float32 NCHW, random data, 2 threads'" in said
    assert "places there: 'float32 NCHW, random data, 1 thread'" in said


def test_an_unknown_workload_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "k99"]) == 1
    assert f"no workload's name contains 'k99'; there are '{WORKLOADS[0].name}'" in capsys.readouterr().err


def test_one_clock_for_several_threads_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--threads", "2", "--clock", "cpu"]) == 1
    assert "it counts what all of them do together" in capsys.readouterr().err
