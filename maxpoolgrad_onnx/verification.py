"""MaxPoolV3Grad nodes tried out: the library against the oracle, and what becomes of their windows."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import reference
from .arrays import Array
from .contract import INPUT_NAMES, PoolAttributes, is_max_pool_v3_grad
from .errors import MaxPoolGradError
from .matching import windows_without_match
from .model import make_model
from .session import inference_session
from .shapes import infer_shapes
from .values import shape_of, typed_values

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TypeProto


# Planes are independent of each other: so many elements of them tell as much as all, and the oracle is slow.
_MOST_ELEMENTS = 2**19
# Of a plane with more windows or elements than these, a corner is tried.
_MOST_WINDOWS = 2**16
_MOST_PLANE = 2**21
_CORNER = 256
# A model whose values take more elements in all is not run as a whole.
_MOST_VALUES = 2**28
_OPEN_SIZE = 2  # tried for a batch or a number of channels that is known at run time only


@dataclass(frozen=True)
class Trial:
    """One node, tried with random data of `shape` (orig_input's) and `dtype`: do library and oracle agree?"""

    node: str
    shape: tuple[int, ...]
    dtype: str
    equal: bool


@dataclass(frozen=True)
class Windows:
    """One node in a run of the whole model with random inputs: its windows, and those without a match."""

    node: str
    windows: int
    without_match: int


def compare_with_reference(model: ModelProto) -> list[Trial]:
    """Run every MaxPoolV3Grad node of the graph alone, in ONNX Runtime and in the oracle, on its own shapes.

    Sizes that the model leaves open are chosen; of a large tensor a few planes are taken, of a very large
    plane a corner. Raises MaxPoolGradError for a node that the operator refuses, and where the library cannot
    be loaded.
    """
    types = {value.name: value.type for value in typed_values(infer_shapes(model).graph)}
    return [_try(node, types) for node in model.graph.node if is_max_pool_v3_grad(node)]


def count_windows_without_match(model: ModelProto) -> list[Windows]:
    """Run the whole model once in ONNX Runtime with random inputs, and look at what reaches its nodes.

    Nodes whose orig_output comes from outside the model are left out: what is fed there is not known. Raises
    MaxPoolGradError where ONNX Runtime cannot run the model, or only in gigabytes of memory.
    """
    given = {value.name for value in model.graph.input} | {tensor.name for tensor in model.graph.initializer}
    nodes = [n for n in model.graph.node if is_max_pool_v3_grad(n) and n.input[1] not in given]
    if not nodes:
        return []
    values = typed_values(infer_shapes(model).graph)
    elements = sum(math.prod(_open_filled(shape_of(value.type))) for value in values)
    if elements > _MOST_VALUES:
        raise MaxPoolGradError(f"its values take {elements} elements in all; up to {_MOST_VALUES} are tried")
    found = _run_for(model, sorted({name for node in nodes for name in node.input[:2]}))
    counted = []
    for node in nodes:
        x, y = found[node.input[0]], found[node.input[1]]
        missed = windows_without_match(PoolAttributes.from_node(node), x, y)
        counted.append(Windows(node.name, y.size, missed))
    return counted


def _try(node: NodeProto, types: Mapping[str, TypeProto]) -> Trial:
    attributes = PoolAttributes.from_node(node)
    shape, output_shape = _shapes(attributes, *(shape_of(types.get(name)) for name in node.input[:2]))
    dtype = _dtype(types.get(node.input[0]))
    rng = np.random.default_rng(zlib.crc32(node.name.encode()))
    x = rng.integers(-3, 4, shape).astype(dtype)  # few values: many ties
    y = _pooled(x, attributes, output_shape)
    arrays = (x, y, rng.standard_normal(output_shape).astype(dtype))
    model = make_model(shape, dtype=dtype, output_shape=output_shape, name=node.name, **attributes.as_dict())
    library = inference_session(model).run(None, dict(zip(INPUT_NAMES, arrays, strict=True)))[0]
    oracle = reference.max_pool_v3_grad(*arrays, **attributes.as_dict())
    return Trial(node.name, shape, dtype, bool(np.array_equal(library, oracle, equal_nan=True)))


def _pooled(x: Array, attributes: PoolAttributes, shape: tuple[int, ...]) -> Array:
    """What pooling gives; -Inf in a last window that pooling drops but orig_output may have."""
    pooled = reference.max_pool_v3(x, **attributes.as_dict())
    y = np.full(shape, -np.inf, x.dtype)
    y[tuple(slice(size) for size in pooled.shape)] = pooled
    return y


def _shapes(
    attributes: PoolAttributes, x: list[int | None] | None, y: list[int | None] | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shapes of orig_input and orig_output to try."""
    plane_axes = (2, 3) if attributes.data_format == "NCHW" else (1, 2)
    shape = _open_filled(x or [None] * 4)
    for axis in plane_axes:
        if not x or x[axis] is None:
            shape[axis] = attributes.ksize[axis] + 2 * attributes.strides[axis]
    if (
        _plane(shape, plane_axes) > _MOST_PLANE
        or _plane(attributes.output_shape(shape), plane_axes) > _MOST_WINDOWS
    ):
        for axis in plane_axes:
            shape[axis] = min(shape[axis], max(_CORNER, attributes.ksize[axis]))
    for axis in {0, 1, 2, 3} - {*plane_axes}:
        others = math.prod(shape) // max(shape[axis], 1)
        shape[axis] = min(shape[axis], max(_MOST_ELEMENTS // max(others, 1), 1))
    output = list(attributes.output_shape(shape))
    for axis in plane_axes:
        known = y[axis] if x and y and x[axis] == shape[axis] else None
        output[axis] = output[axis] if known is None else known  # in ceil mode not only what pooling gives
    return tuple(shape), tuple(output)


def _plane(shape: Sequence[int], axes: tuple[int, int]) -> int:
    return shape[axes[0]] * shape[axes[1]]


def _open_filled(dims: list[int | None] | None) -> list[int]:
    return [_OPEN_SIZE if dim is None else dim for dim in dims or []]


def _run_for(model: ModelProto, names: list[str]) -> dict[str, Array]:
    """The values of these names in one run."""
    from onnx import ModelProto, ValueInfoProto

    probe = ModelProto()
    probe.CopyFrom(model)
    del probe.graph.output[:]
    probe.graph.output.extend(ValueInfoProto(name=name) for name in names)
    weights = {tensor.name for tensor in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in weights]
    rng = np.random.default_rng(0)
    try:
        arrays = inference_session(probe).run(names, {v.name: _random(v.type, rng) for v in inputs})
    except MaxPoolGradError:
        raise
    except Exception as error:  # ONNX Runtime's have no common base of their own
        sentence = f"ONNX Runtime cannot run the model with random inputs: {error}"
        raise MaxPoolGradError(sentence) from error
    return dict(zip(names, arrays, strict=True))


def _random(value: TypeProto, rng: np.random.Generator) -> Array:
    """Random floats; zeros of any other type, which are classes or indices."""
    shape = _open_filled(shape_of(value))
    dtype = np.dtype(_dtype(value))
    return rng.standard_normal(shape).astype(dtype) if dtype.kind == "f" else np.zeros(shape, dtype)


def _dtype(value: TypeProto | None) -> str:
    from onnx import helper

    if value is None or not value.tensor_type.elem_type:
        return "float32"
    return str(helper.tensor_dtype_to_np_dtype(value.tensor_type.elem_type))
