from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from maxpoolgrad_onnx.converters.ge_ir import GeModel, Tensor
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_ge import models, small_model

SLOW_TO_DRAW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def test_a_file_gives_the_model_back(tmp_path: Path) -> None:
    model = small_model()
    model.save(tmp_path / "m.air")
    assert GeModel.load(tmp_path / "m.air") == model


def test_any_model_comes_back_equal(scale: Callable[[int, int], int]) -> None:
    @settings(max_examples=scale(60, 2000), deadline=None, suppress_health_check=SLOW_TO_DRAW, database=None)
    @given(models())
    def comes_back(model: GeModel) -> None:
        data = model.to_bytes()
        again = GeModel.from_bytes(data)
        assert again == model
        assert again.to_bytes() == data

    comes_back()


def test_the_same_model_gives_the_same_bytes() -> None:
    assert small_model().to_bytes() == small_model().to_bytes()


def test_models_that_differ_in_one_weight_differ() -> None:
    model, other = small_model(), small_model()
    value = other.graph.nodes[1].attrs["value"]
    assert isinstance(value, Tensor)
    assert model == other
    value.data[0, 0, 0, 0] = 7
    assert model != other


def test_a_big_endian_array_is_written_as_any_other() -> None:
    model = small_model()
    value = model.graph.nodes[2].attrs["value"]
    assert isinstance(value, Tensor)
    swapped = Tensor(value.desc, value.data.astype(">i8"))
    assert bytes(swapped.buffer()) == bytes(value.buffer()) == bytes([1, *[0] * 7, 2, *[0] * 7, 3, *[0] * 7])


def test_nothing_is_left_where_a_model_is_no_good(tmp_path: Path) -> None:
    model = small_model("lone surrogate \ud800")
    with pytest.raises(MaxPoolGradError, match="it cannot be written"):
        model.save(tmp_path / "m.air")
    assert not list(tmp_path.iterdir())
