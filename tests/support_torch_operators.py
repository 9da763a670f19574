"""ONNX's operators in PyTorch, each from what ONNX says of it: `operator(attributes, *inputs)`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.nn import functional

from support_cnn import pooled_size
from support_torch_windows import crop_or_pad, explicit_pads, per_axis

Tensor = torch.Tensor
Attributes = Mapping[str, Any]


def _conv(attributes: Attributes, x: Tensor, w: Tensor, b: Tensor | None = None) -> Tensor:
    axes = x.dim() - 2
    strides, dilations = per_axis(attributes, "strides", axes), per_axis(attributes, "dilations", axes)
    window = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
    padded = crop_or_pad(x, *explicit_pads(attributes, x, window, strides), 0.0)
    convolve = {1: functional.conv1d, 2: functional.conv2d}[axes]
    return convolve(padded, w, b, strides, 0, dilations, attributes.get("group", 1))


def _conv_transpose(attributes: Attributes, x: Tensor, w: Tensor, b: Tensor | None = None) -> Tensor:
    """All windows first, then what the pads cut off, or what is added behind the last window."""
    axes = x.dim() - 2
    strides, dilations = per_axis(attributes, "strides", axes), per_axis(attributes, "dilations", axes)
    more = per_axis(attributes, "output_padding", axes, 0)
    transpose = {1: functional.conv_transpose1d, 2: functional.conv_transpose2d}[axes]
    full = transpose(x, w, None, strides, 0, 0, attributes.get("group", 1), dilations)
    pads = attributes.get("pads", [0] * 2 * axes)
    begins, ends = list(pads[:axes]), list(pads[axes:])
    auto_pad = attributes.get("auto_pad", b"NOTSET").decode()
    wanted = attributes.get("output_shape")
    if wanted or auto_pad.startswith("SAME"):
        sizes = wanted or [size * stride for size, stride in zip(x.shape[2:], strides, strict=True)]
        totals = [have + m - size for have, m, size in zip(full.shape[2:], more, sizes, strict=True)]
        more = [m + max(-total, 0) for m, total in zip(more, totals, strict=True)]
        small = [max(total, 0) // 2 for total in totals]
        large = [max(total, 0) - s for total, s in zip(totals, small, strict=True)]
        begins, ends = (small, large) if auto_pad == "SAME_UPPER" else (large, small)
    result = crop_or_pad(full, [-p for p in begins], [m - p for m, p in zip(more, ends, strict=True)], 0.0)
    return result if b is None else result + b.reshape(-1, *[1] * axes)


def _max_pool(attributes: Attributes, x: Tensor) -> Tensor:
    padded, kernel, strides, _ = _windows(attributes, x, -math.inf)
    pool = {1: functional.max_pool1d, 2: functional.max_pool2d}[len(kernel)]
    return pool(padded, kernel, strides)


def _average_pool(attributes: Attributes, x: Tensor) -> Tensor:
    """The sum of a window over how many of its elements lie in the input, or in the padded one."""
    sums, kernel, strides, (begins, ends) = _windows(attributes, x, 0.0)
    counted = torch.ones_like(x[:1, :1])
    if attributes.get("count_include_pad", 0):
        counted = crop_or_pad(counted, begins, ends, 1.0)
        inner = [0] * len(begins)
    else:
        inner = begins
    more = [s - c - i for s, c, i in zip(sums.shape[2:], counted.shape[2:], inner, strict=True)]
    counted = crop_or_pad(counted, inner, more, 0.0)
    pool = {1: functional.avg_pool1d, 2: functional.avg_pool2d}[len(kernel)]
    return pool(sums, kernel, strides) / pool(counted, kernel, strides)


def _windows(
    attributes: Attributes, x: Tensor, value: float
) -> tuple[Tensor, list[int], list[int], tuple[list[int], list[int]]]:
    """The input padded so that torch's pools in floor mode have ONNX's windows; and the node's own pads."""
    kernel = list(attributes["kernel_shape"])
    strides = per_axis(attributes, "strides", len(kernel))
    begins, ends = explicit_pads(attributes, x, kernel, strides)
    auto_pad = attributes.get("auto_pad", b"NOTSET").decode()
    ceil = bool(attributes.get("ceil_mode", 0)) and not auto_pad.startswith("SAME")
    axes = list(zip(x.shape[2:], kernel, strides, begins, ends, strict=True))
    counts = [pooled_size(*axis, ceil) for axis in axes]
    reach = [
        (count - 1) * stride + window - size - begin
        for count, (size, window, stride, begin, _) in zip(counts, axes, strict=True)
    ]
    return crop_or_pad(x, begins, reach, value), kernel, strides, (begins, ends)


def _gemm(attributes: Attributes, a: Tensor, b: Tensor, c: Tensor | None = None) -> Tensor:
    a = a.T if attributes.get("transA", 0) else a
    b = b.T if attributes.get("transB", 0) else b
    product = attributes.get("alpha", 1.0) * (a @ b)
    return product if c is None else product + attributes.get("beta", 1.0) * c


def _batch_norm(attributes: Attributes, x: Tensor, *others: Tensor) -> tuple[Tensor, ...]:
    scale, b, mean, var = others
    column = (-1, *[1] * (x.dim() - 2))
    axes = [0, *range(2, x.dim())]
    running: tuple[Tensor, ...] = ()
    if attributes.get("training_mode", 0):
        kept = attributes.get("momentum", 0.9)
        batch_mean, batch_var = x.mean(axes), x.var(axes, unbiased=False)
        running = (mean * kept + batch_mean * (1 - kept), var * kept + batch_var * (1 - kept))
        mean, var = batch_mean, batch_var
    normal = (x - mean.reshape(column)) / torch.sqrt(var.reshape(column) + attributes.get("epsilon", 1e-5))
    return (normal * scale.reshape(column) + b.reshape(column), *running)


def _reshape(_: Attributes, x: Tensor, shape: Tensor) -> Tensor:
    return x.reshape([x.shape[i] if dim == 0 else int(dim) for i, dim in enumerate(shape)])


def _flatten(attributes: Attributes, x: Tensor) -> Tensor:
    axis = attributes.get("axis", 1)
    return x.reshape(math.prod(x.shape[:axis]), -1)


def _unsqueeze(_: Attributes, x: Tensor, axes: Tensor) -> Tensor:
    rank = x.dim() + len(axes)
    for axis in sorted(int(axis) % rank for axis in axes):
        x = x.unsqueeze(axis)
    return x


def _squeeze(_: Attributes, x: Tensor, axes: Tensor | None = None) -> Tensor:
    return x.squeeze() if axes is None else x.squeeze([int(axis) for axis in axes])


def _axes(attributes: Attributes, x: Tensor, axes: Tensor | None) -> list[int]:
    given = attributes.get("axes", []) if axes is None else axes.tolist()
    if not given and attributes.get("noop_with_empty_axes", 0):
        return []
    return [int(axis) for axis in given] or list(range(x.dim()))


def _reduction(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def operator(attributes: Attributes, x: Tensor, axes: Tensor | None = None) -> Tensor:
        over = _axes(attributes, x, axes)
        return function(x, dim=over, keepdim=bool(attributes.get("keepdims", 1))) if over else x

    return operator


def _slice(
    _: Attributes,
    x: Tensor,
    starts: Tensor,
    ends: Tensor,
    axes: Tensor | None = None,
    steps: Tensor | None = None,
) -> Tensor:
    over = range(len(starts)) if axes is None else axes.tolist()
    by = [1] * len(starts) if steps is None else steps.tolist()
    for start, end, axis, step in zip(starts.tolist(), ends.tolist(), over, by, strict=True):
        size = x.shape[axis]
        stop = None if step < 0 and end < -size else end
        taken = list(range(size))[start:stop:step]
        x = x.index_select(axis, torch.tensor(taken, dtype=torch.int64))
    return x


def _pad(
    attributes: Attributes,
    x: Tensor,
    pads: Tensor,
    value: Tensor | None = None,
    axes: Tensor | None = None,
) -> Tensor:
    over = list(range(x.dim())) if axes is None else [int(axis) % x.dim() for axis in axes]
    begins, ends = [0] * x.dim(), [0] * x.dim()
    for place, axis in enumerate(over):
        begins[axis], ends[axis] = int(pads[place]), int(pads[place + len(over)])
    mode = attributes.get("mode", b"constant").decode()
    if mode == "constant":
        return crop_or_pad(x, begins, ends, 0.0 if value is None else float(value))
    for axis in range(x.dim()):
        sources = torch.arange(x.shape[axis])[None, None].double()
        torch_mode = {"edge": "replicate", "reflect": "reflect"}[mode]
        sources = functional.pad(sources, (begins[axis], ends[axis]), mode=torch_mode)
        x = x.index_select(axis, sources[0, 0].long())
    return x


def _split(
    attributes: Attributes, x: Tensor, sizes: Tensor | None = None, *, outputs: int
) -> Sequence[Tensor]:
    axis = attributes.get("axis", 0)
    if sizes is not None:
        return torch.split(x, sizes.tolist(), axis)
    return torch.split(x, -(-x.shape[axis] // outputs), axis)


def _gather(attributes: Attributes, x: Tensor, indices: Tensor) -> Tensor:
    axis = attributes.get("axis", 0) % x.dim()
    positions = torch.where(indices < 0, indices + x.shape[axis], indices)
    taken = x.index_select(axis, positions.reshape(-1))
    return taken.reshape(*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])


def _gather_elements(attributes: Attributes, x: Tensor, indices: Tensor) -> Tensor:
    axis = attributes.get("axis", 0)
    return torch.gather(x, axis, torch.where(indices < 0, indices + x.shape[axis], indices))


def _scatter_elements(attributes: Attributes, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    axis = attributes.get("axis", 0)
    positions = torch.where(indices < 0, indices + x.shape[axis], indices)
    if attributes.get("reduction", b"none") == b"add":
        return x.scatter_add(axis, positions, updates)
    return x.scatter(axis, positions, updates)


def _transpose(attributes: Attributes, x: Tensor) -> Tensor:
    return x.permute(list(attributes.get("perm", range(x.dim() - 1, -1, -1))))


def _clip(_: Attributes, x: Tensor, low: Tensor | None = None, high: Tensor | None = None) -> Tensor:
    return x if low is None and high is None else torch.clamp(x, low, high)


def _hard_sigmoid(attributes: Attributes, x: Tensor) -> Tensor:
    return torch.clamp(attributes.get("alpha", 0.2) * x + attributes.get("beta", 0.5), 0, 1)


def _power(_: Attributes, x: Tensor, exponent: Tensor) -> Tensor:
    return torch.pow(x, exponent.to(x.dtype) if not exponent.is_floating_point() else exponent)


def _cast(attributes: Attributes, x: Tensor) -> Tensor:
    types = {1: x.dtype if x.is_floating_point() else torch.float32, 7: torch.int64, 9: torch.bool}
    return x.to(types[attributes["to"]])


def _chained(function: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    def operator(_: Attributes, first: Tensor, *others: Tensor) -> Tensor:
        for other in others:
            first = function(first, other)
        return first

    return operator


def _plain(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda _, *inputs: function(*inputs)


OPERATORS: Mapping[str, Callable[..., Any]] = {
    "Abs": _plain(torch.abs),
    "Add": _plain(torch.add),
    "AveragePool": _average_pool,
    "BatchNormalization": _batch_norm,
    "Cast": _cast,
    "Clip": _clip,
    "Concat": lambda attributes, *inputs: torch.cat(inputs, attributes["axis"]),
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "Div": _plain(torch.div),
    "Erf": _plain(torch.erf),
    "Exp": _plain(torch.exp),
    "Expand": lambda _, x, shape: x * torch.ones(shape.tolist(), dtype=x.dtype),
    "Flatten": _flatten,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "Gemm": _gemm,
    "GlobalAveragePool": lambda _, x: x.mean(list(range(2, x.dim())), keepdim=True),
    "GlobalMaxPool": lambda _, x: x.amax(list(range(2, x.dim())), keepdim=True),
    "Greater": _plain(torch.gt),
    "HardSigmoid": _hard_sigmoid,
    "HardSwish": lambda _, x: x * torch.clamp(x / 6 + 0.5, 0, 1),
    "Identity": _plain(lambda x: x),
    "LeakyRelu": lambda attributes, x: functional.leaky_relu(x, attributes.get("alpha", 0.01)),
    "Log": _plain(torch.log),
    "LogSoftmax": lambda attributes, x: torch.log_softmax(x, attributes.get("axis", -1)),
    "MatMul": _plain(torch.matmul),
    "Max": _chained(torch.maximum),
    "MaxPool": _max_pool,
    "Min": _chained(torch.minimum),
    "Mul": _plain(torch.mul),
    "Neg": _plain(torch.neg),
    "Pad": _pad,
    "Pow": _power,
    "Reciprocal": _plain(torch.reciprocal),
    "ReduceMax": _reduction(torch.amax),
    "ReduceMean": _reduction(torch.mean),
    "ReduceMin": _reduction(torch.amin),
    "ReduceSum": _reduction(torch.sum),
    "Relu": _plain(functional.relu),
    "Reshape": _reshape,
    "ScatterElements": _scatter_elements,
    "Sigmoid": _plain(torch.sigmoid),
    "Slice": _slice,
    "Softmax": lambda attributes, x: torch.softmax(x, attributes.get("axis", -1)),
    "Split": _split,
    "Sqrt": _plain(torch.sqrt),
    "Squeeze": _squeeze,
    "Sub": _plain(torch.sub),
    "Sum": _chained(torch.add),
    "Tanh": _plain(torch.tanh),
    "Tile": lambda _, x, repeats: x.repeat(repeats.tolist()),
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
    "Where": _plain(torch.where),
}
