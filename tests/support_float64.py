"""Operators in float64 that onnx's reference evaluator has only in part, by torch."""

from __future__ import annotations

from typing import Any

import torch
from onnx.reference.op_run import OpRun

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import DOMAIN
from support_torch_operators import OPERATORS


def _run(op_type: str, attributes: dict[str, Any], *inputs: Array | None) -> tuple[Array, ...]:
    given = {
        name: value.encode() if isinstance(value, str) else value
        for name, value in attributes.items()
        if value is not None
    }
    tensors = [None if value is None else torch.tensor(value) for value in inputs]
    result = OPERATORS[op_type](given, *tensors)
    results = [result] if isinstance(result, torch.Tensor) else result
    return tuple(value.numpy() for value in results)


def _operator(op_type: str) -> type[OpRun]:
    def run(_: OpRun, *inputs: Array, **attributes: Any) -> tuple[Array, ...]:
        return _run(op_type, attributes, *inputs)

    return type(op_type, (OpRun,), {"_run": run})


class Conv2DBackpropInput(OpRun):
    """The gradient of the convolution itself: the evaluator runs no body with groups."""

    op_domain = DOMAIN

    def _run(self, size: Array, w: Array, dy: Array, **attributes: Any) -> tuple[Array]:  # type: ignore[override]
        return (_gradient(attributes, torch.zeros(*size), torch.tensor(w), dy, 0),)


class Conv2DBackpropFilter(OpRun):
    """As Conv2DBackpropInput."""

    op_domain = DOMAIN

    def _run(self, x: Array, size: Array, dy: Array, **attributes: Any) -> tuple[Array]:  # type: ignore[override]
        return (_gradient(attributes, torch.tensor(x), torch.zeros(*size), dy, 1),)


class ConvGradWithoutBias(OpRun):
    """As Conv2DBackpropInput: inside a body the evaluator takes other bodies and not these classes."""

    op_domain = DOMAIN

    def _run(self, dy: Array, x: Array, w: Array, **attributes: Any) -> tuple[Array, ...]:  # type: ignore[override]
        operands = torch.tensor(x), torch.tensor(w)
        return tuple(_gradient(attributes, *operands, dy, which) for which in (0, 1))


class ConvGrad(ConvGradWithoutBias):
    """The same with the bias."""

    def _run(self, dy: Array, x: Array, w: Array, **attributes: Any) -> tuple[Array, ...]:  # type: ignore[override]
        return (*super()._run(dy, x, w, **attributes), dy.sum((0, 2, 3)))


def _gradient(attributes: dict[str, Any], x: torch.Tensor, w: torch.Tensor, dy: Array, which: int) -> Array:
    operands = [operand.to(torch.float64).requires_grad_() for operand in (x, w)]
    y = OPERATORS["Conv"](attributes, *operands)
    (gradient,) = torch.autograd.grad(y, operands[which], torch.tensor(dy))
    return gradient.numpy()


# Groups; ceil_mode; training of any rank; and float32 inside.
WHOLE = (
    *map(_operator, ("AveragePool", "BatchNormalization", "Conv", "ConvTranspose", "Erf", "HardSwish")),
    Conv2DBackpropInput,
    Conv2DBackpropFilter,
    ConvGrad,
    ConvGradWithoutBias,
)
