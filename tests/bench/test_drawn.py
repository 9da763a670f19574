"""On poolings at random the operator is no slower than its specification, nor than torch on channels_last."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from maxpoolgrad_onnx.converters.bench.measure import Conditions, Measurement, measure
from maxpoolgrad_onnx.converters.bench.names import SCALAR
from maxpoolgrad_onnx.converters.bench.workloads import Workload, drawn

RIVALS = (SCALAR, "torch channels_last")
NOISE = 1.1  # other work on the machine moves times by this much, also where the process's own time counts
SMALL = 20e-6  # seconds; a call's own cost, whatever is computed


def measured(workload: Workload, data_format: str, rounds: int) -> Measurement:
    beside = (SCALAR, "torch")
    conditions = Conditions(
        data_format=data_format, rounds=rounds, pause=0.001, clock="cpu", beside=beside, data="relu"
    )
    return measure(workload, conditions, lambda: None)


def slower(measurement: Measurement) -> dict[str, float]:
    """How many times the rivals' time, where it is more than noise."""
    ratios = {name: 1 / measurement.ratio(name) for name in RIVALS}
    more = {name: measurement.times[name].minimum * (ratio - 1) for name, ratio in ratios.items()}
    return {name: ratio for name, ratio in ratios.items() if ratio > NOISE and more[name] > SMALL}


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_nothing_is_faster(data_format: str, scale: Callable[[int, int], int]) -> None:
    losers = {}
    for workload in drawn(scale(4, 100), 3):
        if slower(measured(workload, data_format, 2)):  # on a busy machine once more, and longer
            found = slower(measured(workload, data_format, 10))
            losers |= {workload.name: found} if found else {}
    assert losers == {}
