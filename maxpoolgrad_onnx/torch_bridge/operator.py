"""The two operators in torch's registry: namespace `npu`, the contract's names, the native CPU kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .. import native
from ..contract import ATTRIBUTES, DOMAIN, INPUT_NAMES, PoolAttributes, check_dtypes, check_shapes

_TYPES = {"INTS": "int[]", "STRING": "str", "BOOL": "bool"}


def _parameter(name: str, kind: str, required: bool, default: Any) -> str:
    """An attribute of the contract as torch's schema language declares it."""
    declared = f"{_TYPES[kind]} {name}"
    if required:
        return declared
    value = f'"{default}"' if kind == "STRING" else bool(default) if kind == "BOOL" else list(default)
    return f"{declared}={value}"


_ATTRIBUTES = ", ".join(_parameter(*attribute) for attribute in ATTRIBUTES)
_INPUTS = ", ".join(f"Tensor {name}" for name in INPUT_NAMES)


@torch.library.custom_op(
    f"{DOMAIN}::max_pool_v3_grad",
    mutates_args=(),
    device_types="cpu",
    schema=f"({_INPUTS}, *, {_ATTRIBUTES}) -> Tensor",
)
def _grad(orig_input: Tensor, orig_output: Tensor, grad: Tensor, **attributes: Any) -> Tensor:
    subject = "max_pool_v3_grad"
    _check(subject, attributes, orig_input, orig_output, grad)
    arrays = (tensor.numpy(force=True) for tensor in (orig_input, orig_output, grad))
    return torch.from_numpy(native.max_pool_v3_grad(*arrays, **attributes))


@_grad.register_fake  # type: ignore[untyped-decorator, unused-ignore]
def _fake_grad(orig_input: Tensor, orig_output: Tensor, grad: Tensor, **attributes: Any) -> Tensor:
    _check("max_pool_v3_grad", attributes, orig_input, orig_output, grad)
    return orig_input.new_empty(orig_input.shape)


@torch.library.custom_op(
    f"{DOMAIN}::max_pool_v3",
    mutates_args=(),
    device_types="cpu",
    schema=f"(Tensor x, *, {_ATTRIBUTES}) -> Tensor",
)
def _pool(x: Tensor, **attributes: Any) -> Tensor:
    _check("max_pool_v3", attributes, x)
    return torch.from_numpy(native.max_pool_v3(x.numpy(force=True), **attributes))


@_pool.register_fake  # type: ignore[untyped-decorator, unused-ignore]
def _fake_pool(x: Tensor, **attributes: Any) -> Tensor:
    pool = _check("max_pool_v3", attributes, x)
    spatial = (2, 3) if pool.data_format == "NCHW" else (1, 2)
    # int() of a size that is open makes torch trace again for another one: geometry is the contract's.
    sizes = [int(size) if axis in spatial else -1 for axis, size in enumerate(x.shape)]
    pooled = pool.output_shape(sizes)
    return x.new_empty([pooled[axis] if axis in spatial else size for axis, size in enumerate(x.shape)])


def _save(ctx: Any, inputs: tuple[Tensor], keyword_only_inputs: dict[str, Any], output: Tensor) -> None:
    (x,) = inputs
    ctx.save_for_backward(x, output)
    ctx.attributes = keyword_only_inputs


def _backward(ctx: Any, gradient: Tensor) -> Tensor:
    x, y = ctx.saved_tensors
    return max_pool_v3_grad(x, y, gradient, **ctx.attributes)


_pool.register_autograd(_backward, setup_context=_save)


def max_pool_v3_grad(orig_input: Tensor, orig_output: Tensor, grad: Tensor, **attributes: Any) -> Tensor:
    """`torch.ops.npu.max_pool_v3_grad`: as maxpoolgrad_onnx.max_pool_v3_grad, on tensors.

    Tensors are float16 or float32 on the CPU, of any memory layout; the result is contiguous. It has no
    gradient of its own. Raises MaxPoolGradError for what the operator refuses.
    """
    result: Tensor = torch.ops.npu.max_pool_v3_grad(orig_input, orig_output, grad, **_typed(attributes))
    return result


def max_pool_v3(x: Tensor, **attributes: Any) -> Tensor:
    """`torch.ops.npu.max_pool_v3`: as maxpoolgrad_onnx.max_pool_v3, on tensors, with its gradient.

    A gradient goes to the first of equal maxima, and NaN is no maximum: torch's own pooling agrees on ties
    and lets NaN win. Raises MaxPoolGradError for what the operator refuses.
    """
    result: Tensor = torch.ops.npu.max_pool_v3(x, **_typed(attributes))
    return result


def _typed(attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes that are 0 or 1 as bools, since torch's schemas tell them from ints."""
    bools = {name for name, kind, _, _ in ATTRIBUTES if kind == "BOOL"}
    return {
        name: bool(value) if name in bools and value in (0, 1) else value
        for name, value in attributes.items()
    }


def _check(subject: str, attributes: dict[str, Any], *tensors: Tensor) -> PoolAttributes:
    """What the operator refuses, also where only sizes and types are known; open sizes count as unknown."""
    pool = PoolAttributes.make(subject, attributes)
    missing = len(INPUT_NAMES) - len(tensors)
    check_dtypes(subject, *(dtype_name(tensor.dtype) for tensor in tensors), *[""] * missing)
    shapes = [_known_shape(tensor.shape) for tensor in tensors]
    check_shapes(subject, pool, *shapes, *[None] * missing)
    return pool


def dtype_name(dtype: torch.dtype) -> str:
    """The contract's (NumPy's) name of a torch dtype."""
    return str(dtype).removeprefix("torch.")


def _known_shape(shape: Sequence[Any]) -> list[int | None]:
    return [_known(size) for size in shape]


def _known(size: Any) -> int | None:
    return size if isinstance(size, int) else None
