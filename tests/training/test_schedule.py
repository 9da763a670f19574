"""Learning rates by the step, against torch.optim.lr_scheduler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.training import Schedule

PER_EPOCH, EPOCHS = 7, 6
STEPS = PER_EPOCH * EPOCHS


def rates(schedule: Schedule) -> list[float]:
    return [schedule.at(step, STEPS, PER_EPOCH) for step in range(STEPS)]


def torch_rates(make: Any, per_epoch: bool) -> list[float]:
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=0.3)
    scheduler = make(optimizer)
    found = []
    for step in range(STEPS):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if not per_epoch or (step + 1) % PER_EPOCH == 0:
            scheduler.step()
    return found


def test_constant() -> None:
    assert set(rates(Schedule(0.3))) == {0.3}


def test_step_is_torchs() -> None:
    wanted = torch_rates(lambda o: torch.optim.lr_scheduler.StepLR(o, 2, 0.5), per_epoch=True)
    np.testing.assert_allclose(rates(Schedule(0.3, "step", step_epochs=2, gamma=0.5)), wanted, rtol=1e-12)


def test_cosine_is_torchs() -> None:
    wanted = torch_rates(lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, STEPS), per_epoch=False)
    np.testing.assert_allclose(rates(Schedule(0.3, "cosine")), wanted, rtol=1e-9)


def test_warm_up_rises_in_a_line_and_goes_over_without_a_jump() -> None:
    found = rates(Schedule(0.3, "cosine", warmup=2))
    np.testing.assert_allclose(found[:14], 0.3 * np.arange(1, 15) / 14)
    assert found[14] == 0.3
    assert np.all(np.diff(found[14:]) < 0)
    assert found[-1] < 0.01
    assert rates(Schedule(0.3, warmup=0.5))[:4] == [
        pytest.approx(0.3 * r) for r in (1 / 3.5, 2 / 3.5, 3 / 3.5, 1)
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rate": -1.0}, "learning_rate is -1.0; it must be a number, 0 or more"),
        ({"rate": 0.1, "kind": "linear"}, "schedule is 'linear'; allowed are 'constant', 'step', 'cosine'"),
        ({"rate": 0.1, "warmup": float("inf")}, "warmup is inf; it must be a number, 0 to 65504"),
        ({"rate": 1e30}, r"learning_rate is 1e\+30; it must be a number, 0 to 65504"),
        ({"rate": 0.1, "step_epochs": 0}, "step_epochs is 0; it must be a number above 0"),
        ({"rate": 0.1, "gamma": 2.0}, "gamma is 2.0; it must be a number, 0 to 1"),
    ],
)
def test_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(MaxPoolGradError, match=words):
        Schedule(**options)


def test_a_warm_up_longer_than_the_training() -> None:
    with pytest.raises(MaxPoolGradError, match="warmup is 3 epochs and epochs 2; it must be shorter"):
        Schedule(0.1, warmup=3).check_fits(2)
