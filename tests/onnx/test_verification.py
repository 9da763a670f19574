"""A model's nodes tried out: against the oracle, and in a run of the whole model."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper, parser

from maxpoolgrad_onnx import MaxPoolGradError, reference
from maxpoolgrad_onnx.model import make_model
from maxpoolgrad_onnx.verification import Trial, Windows, compare_with_reference, count_windows_without_match

_POOL = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2], "ceil_mode": True}


def _step(through: str) -> onnx.ModelProto:
    """A pool and its gradient; between them `through` makes y of pooled."""
    return parser.parse_model(
        f"""
        <ir_version: 9, opset_import: ["" : 18, "npu" : 1]>
        g (float[N, 2, 9, 9] x, float[N, 2, 4, 4] grad) => (float[N, 2, 9, 9] out_grad)
        {{
            pooled = MaxPool <kernel_shape = [3, 3], strides = [2, 2]> (x)
            {through}
            [pool_grad] out_grad = npu.MaxPoolV3Grad <ksize = [1,1,3,3], strides = [1,1,2,2]> (x, y, grad)
        }}
        """
    )


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(
    ("shape", "output_shape", "tried"),
    [
        ([1, 2, 8, 8], None, (1, 2, 8, 8)),
        ([2, 2, 8, 8], [2, 2, 4, 4], (2, 2, 8, 8)),
        (["N", 3, 8, "W"], None, (2, 3, 8, 7)),
        ([1000, 64, 56, 56], None, (2, 64, 56, 56)),
        ([0, 2, 8, 8], None, (0, 2, 8, 8)),
        ([1, 1, 100_000, 100_000], None, (1, 1, 256, 256)),
        ([1, 1, 3, 3_000_000], None, (1, 1, 3, 256)),
    ],
)
def test_a_node_is_tried_on_its_own_shapes(
    dtype: str, shape: list[int | str], output_shape: list[int] | None, tried: tuple[int, ...]
) -> None:
    model = make_model(shape, dtype=dtype, output_shape=output_shape, name="a", **_POOL)
    assert compare_with_reference(model) == [Trial("a", tried, dtype, True)]


def test_a_difference_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    real = reference.max_pool_v3_grad
    monkeypatch.setattr(reference, "max_pool_v3_grad", lambda *a, **k: real(*a, **k) + np.float32(1))
    assert not compare_with_reference(make_model([1, 2, 8, 8], **_POOL))[0].equal


def test_a_model_without_the_operator() -> None:
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["" : 18]> g (float[2] x) => (float[2] y) { y = Neg (x) }'
    )
    assert compare_with_reference(model) == []
    assert count_windows_without_match(model) == []


def test_windows_of_a_sound_step() -> None:
    assert count_windows_without_match(_step("y = Identity (pooled)")) == [
        Windows("pool_grad", 2 * 2 * 16, 0)
    ]


def test_windows_of_a_step_that_rounds_in_between() -> None:
    found = count_windows_without_match(_step("half = Cast <to = 10> (pooled) y = Cast <to = 1> (half)"))
    assert found[0].without_match > found[0].windows * 0.9


def test_an_orig_output_from_outside_is_left_out() -> None:
    assert count_windows_without_match(make_model([1, 2, 8, 8], **_POOL)) == []


def test_a_model_of_gigabytes_is_not_run() -> None:
    step = _step("y = Identity (pooled)")
    for value in step.graph.input:
        value.type.tensor_type.shape.dim[0].dim_value = 10**7
    with pytest.raises(MaxPoolGradError, match="elements in all"):
        count_windows_without_match(step)


def test_a_model_that_cannot_be_run() -> None:
    model = _step("y = Identity (pooled)")
    model.graph.node.insert(0, helper.make_node("Nonsense", ["x"], ["unused"], domain="nowhere"))
    model.opset_import.append(helper.make_opsetid("nowhere", 1))
    with pytest.raises(MaxPoolGradError, match="ONNX Runtime cannot run the model"):
        count_windows_without_match(model)
