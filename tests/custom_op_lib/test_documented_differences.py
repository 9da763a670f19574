"""The rows of docs/operator.md, "What other implementations do differently": this project's side of each."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg

DOCUMENT = Path(__file__).parents[2] / "docs" / "operator.md"
TWO_BY_TWO = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}


def plane(values: list[list[float]], dtype: str = "float32") -> np.ndarray:
    return np.array(values, dtype)[np.newaxis, np.newaxis]


def test_orig_output_decides() -> None:
    x = plane([[1, 7], [3, 9]])
    out_grad = mpg.max_pool_v3_grad(x, plane([[3]]), plane([[5]]), **TWO_BY_TWO)
    np.testing.assert_array_equal(out_grad, plane([[0, 0], [5, 0]]))


def test_nan_never_receives() -> None:
    x = plane([[1, np.nan], [np.nan, 4]])
    for orig_output, expected in ((np.nan, [[0, 0], [0, 0]]), (4, [[0, 0], [0, 5]])):
        out_grad = mpg.max_pool_v3_grad(x, plane([[orig_output]]), plane([[5]]), **TWO_BY_TWO)
        np.testing.assert_array_equal(out_grad, plane(expected))


@pytest.mark.parametrize("dtype", ["float64", "int8", "int32", "uint8", "bfloat16"])
def test_other_dtypes_are_refused(dtype: str) -> None:
    if dtype == "bfloat16":
        import ml_dtypes

        x = np.ones((1, 1, 2, 2), ml_dtypes.bfloat16)
    else:
        x = np.ones((1, 1, 2, 2), dtype)
    with pytest.raises(mpg.MaxPoolGradError, match=f"orig_input is {dtype}; allowed are float16 and float32"):
        mpg.max_pool_v3_grad(x, x[:, :, :1, :1], x[:, :, :1, :1], **TWO_BY_TWO)


def test_global_pooling_is_refused() -> None:
    x = plane([[1, 2], [3, 4]])
    with pytest.raises(mpg.MaxPoolGradError, match="global_pooling is 1"):
        mpg.max_pool_v3_grad(x, plane([[4]]), plane([[1]]), global_pooling=True, **TWO_BY_TWO)


def test_dropped_window_is_read_at_its_place() -> None:
    # Width 4, k 1, s 3: the formula gives 3 windows, the forward operator 2. A reader that steps through rows
    # of orig_output by 3 takes the second row's value from the first row's place.
    attributes = {"ksize": [1, 1, 1, 1], "strides": [1, 1, 3, 3], "pads": [0, 1, 0, 1], "ceil_mode": True}
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    y = mpg.max_pool_v3(x, **attributes)
    assert y.shape == (1, 1, 2, 2)
    expected = np.zeros_like(x)
    expected[0, 0, ::3, ::3] = [[1, 2], [3, 4]]
    np.testing.assert_array_equal(mpg.max_pool_v3_grad(x, y, plane([[1, 2], [3, 4]]), **attributes), expected)


def test_float16_is_summed_in_float32_in_one_order() -> None:
    # Nine windows meet in the middle: 1024 + 8 * 0.5 is 1024 when added in float16, one half at a time.
    x = np.zeros((1, 1, 5, 5), np.float16)
    x[0, 0, 2, 2] = 9
    grad = np.full((1, 1, 3, 3), 0.5, np.float16)
    grad[0, 0, 0, 0] = 1024
    attributes = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 1, 1]}
    y = mpg.max_pool_v3(x, **attributes)
    results = [mpg.max_pool_v3_grad(x, y, grad, threads=threads, **attributes) for threads in (1, 2, 5)]
    assert results[0][0, 0, 2, 2] == 1028
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


def test_every_row_of_the_document_names_a_test_of_this_file() -> None:
    named = set(re.findall(r"`(test_\w+)` \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE))
    assert named == {name for name in globals() if name.startswith("test_") and "document" not in name}
