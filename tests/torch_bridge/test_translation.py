"""torch.onnx.export(dynamo=True) with the translation table: MaxPoolV3Grad, nothing of the decomposition."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.torch_bridge import max_pool_v3, max_pool_v3_grad, translation_table
from support_ort import outputs_of


def exported(
    function: Any, inputs: Sequence[torch.Tensor], *, dynamic: bool = False, table: bool = True
) -> onnx.ModelProto:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            make_fx(function)(*inputs) if not isinstance(function, torch.nn.Module) else function,
            tuple(inputs),
            dynamo=True,
            opset_version=18,
            verbose=False,
            custom_translation_table=translation_table() if table else {},
            dynamic_shapes=tuple({0: torch.export.Dim("N")} for _ in inputs) if dynamic else None,
        )
    assert program is not None
    return program.model_proto


def ran(model: onnx.ModelProto, inputs: Sequence[torch.Tensor]) -> list[np.ndarray[Any, Any]]:
    names = [value.name for value in model.graph.input]
    feeds = {name: x.numpy() for name, x in zip(names, inputs, strict=True)}
    return list(outputs_of(model, feeds).values())


def assert_translated(model: onnx.ModelProto) -> None:
    types = [node.op_type for node in model.graph.node]
    assert "ScatterElements" not in types
    assert "MaxPoolV3Grad" in types
    for node in model.graph.node:
        assert node.op_type != "MaxPool" or len(node.output) == 1
    assert {entry.domain: entry.version for entry in model.opset_import} == {"": 18, "npu": 1}
    assert mpg.check(model) == []


POOLS: list[dict[str, Any]] = [
    {"kernel_size": 2},
    {"kernel_size": (3, 2), "stride": (2, 1), "padding": (1, 1), "ceil_mode": True},
    {"kernel_size": 5, "stride": 3, "padding": 2},
]


def test_torchs_own_gradient_in_a_joint_graph() -> None:
    """A loss over several pools, differentiated by torch.func."""

    def loss(x: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
        pooled = [functional.max_pool2d(x, **pool) for pool in POOLS]
        return sum((y * w).sum() for y, w in zip(pooled, weights, strict=True))  # type: ignore[return-value]

    x = torch.randn(2, 3, 11, 10, generator=torch.Generator().manual_seed(0)).round()  # ties
    weights = [torch.randn_like(functional.max_pool2d(x, **pool)) for pool in POOLS]
    model = exported(torch.func.grad(loss), (x, *weights))
    assert_translated(model)
    assert [node.op_type for node in model.graph.node].count("MaxPool") == len(POOLS)
    (found,) = ran(model, (x, *weights))
    np.testing.assert_allclose(found, torch.func.grad(loss)(x, *weights).numpy(), rtol=1e-5, atol=1e-5)


def test_an_open_batch() -> None:
    pool = _Joint(POOLS[1])
    x = torch.randn(2, 3, 11, 10)
    model = exported(pool, (x, functional.max_pool2d(x, **POOLS[1])), dynamic=True)
    assert_translated(model)
    x = torch.randn(5, 3, 11, 10)
    gradient = torch.randn_like(functional.max_pool2d(x, **POOLS[1]))
    (found,) = ran(model, (x, gradient))
    np.testing.assert_allclose(found, pool(x, gradient).numpy(), rtol=1e-6, atol=1e-6)


class _Joint(torch.nn.Module):
    """A pool and its gradient, as torch's joint graphs hold them."""

    def __init__(self, pool: dict[str, Any]) -> None:
        super().__init__()
        kernel, stride = pool["kernel_size"], pool.get("stride") or pool["kernel_size"]
        pairs = [[n, n] if isinstance(n, int) else list(n) for n in (kernel, stride, pool.get("padding", 0))]
        self.form = (*pairs, [1, 1], pool.get("ceil_mode", False))

    def forward(self, x: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
        _, indices = torch.ops.aten.max_pool2d_with_indices(x, *self.form)
        return torch.ops.aten.max_pool2d_with_indices_backward(gradient, x, *self.form, indices)


def test_without_the_table_the_exporter_scatters() -> None:
    """What the table is for; where this fails, torch has learnt better and the docs are to say so."""
    x = torch.randn(1, 1, 4, 4)
    model = exported(_Joint({"kernel_size": 2}), (x, torch.ones(1, 1, 2, 2)), table=False)
    types = [node.op_type for node in model.graph.node]
    assert types.count("MaxPool") == 2
    assert "ScatterElements" in types


def test_images_without_a_batch_and_indices_from_or_for_elsewhere() -> None:
    class Several(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.joint = _Joint({"kernel_size": 2})

        def forward(self, x: torch.Tensor, gradient: torch.Tensor, places: torch.Tensor) -> Any:
            without_batch = self.joint(x[0], gradient[0])
            by_given = torch.ops.aten.max_pool2d_with_indices_backward(gradient, x, *self.joint.form, places)
            return without_batch, by_given, *functional.max_pool2d_with_indices(x, 2)

    x, gradient = torch.randn(2, 3, 6, 6), torch.randn(2, 3, 3, 3)
    _, places = functional.max_pool2d_with_indices(x, 2)
    model = exported(Several(), (x, gradient, places))
    types = [node.op_type for node in model.graph.node]
    assert types.count("MaxPoolV3Grad") == 2
    assert "ScatterElements" not in types
    assert mpg.check(model) == []
    for found, wanted in zip(ran(model, (x, gradient, places)), Several()(x, gradient, places), strict=True):
        np.testing.assert_array_equal(found, wanted.numpy())


FORMS: list[dict[str, Any]] = [
    {"ksize": [1, 1, 3, 2], "strides": [1, 1, 2, 1], "pads": [1, 0, 1, 0], "ceil_mode": True},
    {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2], "padding_mode": "SAME"},
    {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "data_format": "NHWC"},
    {"ksize": [1, 3, 2, 1], "strides": [1, 2, 1, 1], "data_format": "NHWC", "padding_mode": "VALID"},
]


def test_the_operators_of_this_project() -> None:
    class Both(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
            pooled = [max_pool_v3(x, **form) for form in FORMS]
            gradients = [max_pool_v3_grad(x, y, y * y, **form) for y, form in zip(pooled, FORMS, strict=True)]
            return [*pooled, *gradients]

    x = torch.randn(2, 7, 6, 4)
    model = exported(Both(), (x,))
    assert_translated(model)
    for found, wanted in zip(ran(model, (x,)), Both()(x), strict=True):
        np.testing.assert_array_equal(found, wanted.numpy())


@pytest.mark.parametrize(
    ("pool", "dtype", "named"),
    [
        ({"kernel_size": 2, "dilation": 2}, torch.float32, "dilation"),
        ({"kernel_size": 2}, torch.float64, "double|float64"),
    ],
)
def test_what_the_operator_refuses_ends_the_export(
    pool: dict[str, Any], dtype: torch.dtype, named: str
) -> None:
    def gradient(x: torch.Tensor) -> torch.Tensor:
        return torch.func.grad(lambda x: functional.max_pool2d(x, **pool).sum())(x)

    with pytest.raises(torch.onnx.errors.OnnxExporterError) as failed:
        exported(gradient, (torch.randn(1, 1, 6, 6, dtype=dtype),))
    error: BaseException | None = failed.value
    while error is not None and not isinstance(error, mpg.MaxPoolGradError):
        error = error.__cause__
    assert error is not None
    assert any(word in str(error) for word in named.split("|"))
