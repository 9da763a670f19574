"""Windows without a match are counted."""

from __future__ import annotations

import numpy as np
import pytest

from maxpoolgrad_onnx import max_pool_v3, reference
from maxpoolgrad_onnx.contract import PoolAttributes
from maxpoolgrad_onnx.matching import windows_without_match
from support import Case, random_cases


def _by_hand(case: Case) -> int:
    """A window's gradient alone: it arrives, or it does not."""
    count = 0
    for index in np.ndindex(case.orig_output.shape):
        if case.orig_output[index] == -np.inf:
            continue
        grad = np.zeros_like(case.grad)
        grad[index] = 1
        arrived = reference.max_pool_v3_grad(case.orig_input, case.orig_output, grad, **case.attributes)
        count += not arrived.any()
    return count


def test_random_cases() -> None:
    found = 0
    for case in random_cases(seed=11, count=30):
        attributes = PoolAttributes.make("test", case.attributes)
        count = windows_without_match(attributes, case.orig_input, case.orig_output)
        assert count == _by_hand(case), case.name
        found += count > 0
    assert found > 5


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_what_pooling_gives_always_matches(dtype: type) -> None:
    x = np.random.default_rng(0).standard_normal((2, 3, 40, 40)).astype(dtype)
    attributes = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 1, 1], "pads": [1, 1, 1, 1]}
    y = max_pool_v3(x, **attributes)
    assert windows_without_match(PoolAttributes.make("test", attributes), x, y) == 0


def test_an_output_rounded_through_float16_matches_nothing() -> None:
    x = np.random.default_rng(0).uniform(0.1, 1, (1, 1, 32, 32)).astype(np.float32)
    attributes = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}
    y = max_pool_v3(x, **attributes).astype(np.float16).astype(np.float32)
    assert windows_without_match(PoolAttributes.make("test", attributes), x, y) > 250
