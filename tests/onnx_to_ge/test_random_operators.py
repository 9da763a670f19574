"""Operators with random attributes, shapes, types and opsets: to GE IR and back, the same bits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx.arrays import Array
from support_convert import assert_runs_alike, feeds_for
from support_ort import outputs_of
from support_random_operators import FAMILIES, Drawn, Rng, model_of


def with_special_values(rng: Rng, array: Array) -> Array:
    """The same with infinities, NaN and zeros of both signs here and there, where it holds float32.

    Where ONNX Runtime computes float16 in float32, the sign of a NaN depends on how it gets there and back.
    """
    if array.dtype != np.float32:
        return array
    special = rng.choice(np.array([np.inf, -np.inf, np.nan, 0.0, -0.0], array.dtype), array.shape)
    return np.where(rng.random(array.shape) < 0.2, special, array)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_random_operators(family: Callable[[Rng], Drawn], scale: Callable[[int, int], int]) -> None:
    ran = 0
    count = scale(40, 3000)
    for index in range(count):
        rng = np.random.default_rng([FAMILIES.index(family), index])
        drawn = family(rng)
        model = model_of(drawn, rng)
        feeds = feeds_for(model, index)
        if rng.random() < 0.2:
            feeds["x"] = with_special_values(rng, feeds["x"])
        if not runs(model, feeds):
            continue
        ran += 1
        try:
            assert_runs_alike(model, feeds)
        except Exception as error:
            raise AssertionError(f"{index}: {drawn.nodes} of {drawn.inputs} at {drawn.opset}") from error
    assert ran > 0.8 * count


def runs(model: onnx.ModelProto, feeds: dict[str, Array]) -> bool:
    """Whether ONNX Runtime takes the model: it has kernels of its own for some opsets and types only."""
    try:
        outputs_of(model, feeds)
    except Exception:
        return False
    return True
