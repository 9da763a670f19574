"""Times, interleaved: every round runs everything once in a random order, with a pause before each."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .peers import OURS, ROOF, Call, calls
from .workloads import Tensors, Workload, tensors_of

Tick = Callable[[], None]
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.thread_time}


@dataclass(frozen=True)
class Times:
    """Seconds of one call: the least and the median of all rounds, of the way with the least minimum."""

    minimum: float
    median: float


@dataclass(frozen=True)
class Measurement:
    """One workload's times by name."""

    workload: Workload
    dtype: str
    data_format: str
    data: str
    threads: int
    times: dict[str, Times]

    @property
    def share_of_roof(self) -> float:
        """The time that moving the bytes takes anyhow on one thread, by ours; by the minima."""
        return self.times[ROOF].minimum / self.times[OURS].minimum

    def ratio(self, name: str) -> float:
        """How many times as long the other takes, by the minima."""
        return self.times[name].minimum / self.times[OURS].minimum


@dataclass(frozen=True)
class Conditions:
    """How to measure; `pause` in seconds.

    `clock` is "wall", or "cpu" for the time that this thread runs: on a machine that others keep busy a long
    call is always interrupted, and its wall time says nothing.
    """

    dtype: str = "float32"
    data_format: str = "NCHW"
    data: str = "random"
    threads: int = 1
    rounds: int = 15
    pause: float = 0.02
    clock: str = "wall"

    def __post_init__(self) -> None:
        if self.clock == "cpu" and self.threads > 1:
            raise MaxPoolGradError(
                f"clock is 'cpu' with {self.threads} threads; it counts one thread's time: "
                "give 1 thread, or take 'wall'"
            )


def measure(workload: Workload, conditions: Conditions, tick: Tick) -> Measurement:
    """Everything on one workload; `tick` is called after every round."""
    c = conditions
    tensors = tensors_of(workload, c.dtype, c.data_format, c.data)
    times = _interleaved(tensors, c, tick)
    return Measurement(workload, c.dtype, c.data_format, c.data, c.threads, times)


def _interleaved(tensors: Tensors, conditions: Conditions, tick: Tick) -> dict[str, Times]:
    ways = [(name, call) for name, some in calls(tensors, conditions.threads).items() for call in some]
    seconds: list[list[float]] = [[] for _ in ways]
    for _, call in ways:
        call()
    order = list(range(len(ways)))
    shuffle = random.Random(0).shuffle
    for _ in range(conditions.rounds):
        shuffle(order)
        for index in order:
            time.sleep(conditions.pause)
            seconds[index].append(_once(ways[index][1], CLOCKS[conditions.clock]))
        tick()
    best: dict[str, Times] = {}
    for (name, _), measured in zip(ways, seconds, strict=True):
        times = Times(min(measured), statistics.median(measured))
        if name not in best or times.minimum < best[name].minimum:
            best[name] = times
    return best


def _once(call: Call, now: Callable[[], float]) -> float:
    """The best of a few runs where one is short: the first one after a pause finds cold caches."""
    least = float("inf")
    begin = now()
    for _ in range(20):
        start = now()
        call()
        end = now()
        least = min(least, end - start)
        if end - begin > 0.002:
            break
    return least
