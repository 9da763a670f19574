"""Times, interleaved: every round runs everything once in a random order, with a pause before each."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .data import tensors_of
from .libraries import Call
from .names import OURS, ROOF, STANDS_BESIDE
from .ways import ways
from .workloads import Workload

Tick = Callable[[], None]
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.process_time}

_FEW_ROUNDS = 3  # what tells enough of a way that takes long, or that another way of its name outdoes
_LONG = 2.0  # seconds, in all rounds
_OUTDONE = 1.25


@dataclass(frozen=True)
class Times:
    """Seconds of one call: the least and the median of all rounds, of the way with the least minimum."""

    minimum: float
    median: float


@dataclass(frozen=True)
class Measurement:
    """One workload's times by name."""

    workload: Workload
    times: dict[str, Times]

    @property
    def share_of_roof(self) -> float:
        """The time that moving the bytes takes anyhow on as many threads, by ours; by the minima."""
        return self.times[ROOF].minimum / self.times[OURS].minimum

    def ratio(self, name: str) -> float:
        """How many times as long the other takes as ours, or as what it stands beside, by the minima."""
        return self.times[name].minimum / self.times[STANDS_BESIDE.get(name, OURS)].minimum


@dataclass(frozen=True)
class Conditions:
    """How to measure, and beside what (see `ways`); `pause` in seconds.

    `clock` is "wall", or "cpu" for the time that this process runs: on a machine that others keep busy a long
    call is always interrupted, and its wall time says nothing.
    """

    dtype: str = "float32"
    data_format: str = "NCHW"
    data: str = "random"
    threads: int = 1
    rounds: int = 15
    pause: float = 0.02
    clock: str = "wall"
    beside: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.clock == "cpu" and self.threads > 1:
            raise MaxPoolGradError(
                f"clock is 'cpu' with {self.threads} threads; it counts what all of them do together: "
                "give 1 thread, or take 'wall'"
            )

    @property
    def title(self) -> str:
        """What sets one table apart from another."""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.dtype} {self.data_format}, {self.data} data, {threads}"


def measure(workload: Workload, conditions: Conditions, tick: Tick) -> Measurement:
    """Everything on one workload; `tick` is called after every round.

    A way that takes long in all is left out of the later rounds, and so is one that another of its name
    outdoes: a dozen ways make up the roof, and a library may take a hundred times as long as the operator.
    """
    c = conditions
    tensors = tensors_of(workload, c.dtype, c.data_format, c.data)
    racers = [
        _Racer(name, call)
        for name, calls in ways(tensors, c.data, c.threads, c.beside).items()
        for call in calls
    ]
    for racer in racers:
        racer.call()
    shuffle = random.Random(0).shuffle
    for number in range(c.rounds):
        order = _staying(racers) if number >= _FEW_ROUNDS else racers[:]
        shuffle(order)
        for racer in order:
            time.sleep(c.pause)
            racer.seconds.append(_once(racer.call, CLOCKS[c.clock]))
        tick()
    return Measurement(workload, _best(racers))


@dataclass
class _Racer:
    name: str
    call: Call
    seconds: list[float] = field(default_factory=list)

    @property
    def times(self) -> Times:
        return Times(min(self.seconds), statistics.median(self.seconds))


def _best(racers: Sequence[_Racer]) -> dict[str, Times]:
    best: dict[str, Times] = {}
    for racer in racers:
        if racer.name not in best or racer.times.minimum < best[racer.name].minimum:
            best[racer.name] = racer.times
    return best


def _staying(racers: Sequence[_Racer]) -> list[_Racer]:
    best = _best(racers)
    return [
        racer
        for racer in racers
        if sum(racer.seconds) < _LONG and racer.times.minimum <= _OUTDONE * best[racer.name].minimum
    ]


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
