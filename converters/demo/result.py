"""What the demo finds, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from onnx import ModelProto

from .data import Digits
from .gradients import Gradients
from .training import Run

TARGET_MEAN, TARGET_WORST = 0.98, 0.975
"""What the network is to reach on the stratified held-out fifth, over all first weights."""


@dataclass(frozen=True)
class Stage:
    """A stage that is over: its name, how long it took, what it proved."""

    title: str
    seconds: float
    proved: Sequence[str]


@dataclass(frozen=True)
class Accuracy:
    """The accuracies of all first weights on one split."""

    mean: float
    worst: float

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Accuracy:
        """Over runs of one split."""
        accuracies = [run.accuracy for run in runs]
        return cls(float(np.mean(accuracies)), min(accuracies))

    @property
    def reached(self) -> bool:
        """Whether it is what the network is to reach."""
        return self.mean >= TARGET_MEAN and self.worst >= TARGET_WORST


@dataclass(frozen=True)
class Demo:
    """All that the stages gave; `stratified` and `file_order` have a run for each seed."""

    folder: Path
    digits: Digits
    step: ModelProto
    gradients: Gradients
    stratified: Sequence[Run]
    file_order: Sequence[Run]
    stages: Sequence[Stage]
