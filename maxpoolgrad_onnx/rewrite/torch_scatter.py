"""What torch.onnx.export(dynamo=True) makes of aten.max_pool2d_with_indices_backward."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from ..gradient.refusal import refusal, subject_of
from .pool import Replacement, gradient_of, known_shape

_CURE = "export it with maxpoolgrad_onnx.torch_bridge.translation_table(), which writes the operator itself"


def scattered_gradient(node: ir.Node) -> Replacement | None:
    """Two MaxPools, Slice, Sub, ScatterElements  ->  dX = MaxPoolV3Grad(X, Y, dY).

        Y, I = MaxPool(X)                        I counts in the whole tensor
        _, J = MaxPool<kernel 1x1>(X)            J is every element's own number
        K = I - Slice(J, [0, 0], [1, 1])         K counts in a plane
        dX = Reshape(ScatterElements<add, axis 1>(0, Reshape(K), Reshape(dY)))

    ONNX Runtime's I is that of the first of equal maxima, as MaxPoolV3Grad has it.
    Refused: other chains of a MaxPool's Indices into a ScatterElements that adds.
    """
    if node.domain or node.op_type != "ScatterElements":
        return None
    if node.attributes.get_string("reduction", "none") != "add":
        return None
    zeros, places, updates = (*node.inputs, None, None, None)[:3]
    pool = _pool_of(places)
    if pool is None or zeros is None or places is None or updates is None:
        return None
    if not _is_zero(zeros):
        raise refusal(node, f"it adds gradients of {subject_of(pool)} to what is not zero", _CURE)
    if not _counts_in_a_plane(_before_reshape(places), pool):
        raise refusal(node, f"its indices are not those of {subject_of(pool)} in each plane", _CURE)
    gradient = _before_reshape(updates)
    result = _after_reshape(node.outputs[0])
    if node.attributes.get_int("axis", 0) != 1 or not _planes(zeros, pool, gradient, result):
        raise refusal(node, f"it does not scatter a gradient of {subject_of(pool)} plane by plane", _CURE)
    assert result is not None
    return gradient_of(pool, gradient, result)


def _pool_of(value: ir.Value | None) -> ir.Node | None:
    """The MaxPool whose Indices lead to a value by arithmetic on the way that the exporters write."""
    while value is not None and (node := value.producer()) is not None and not node.domain:
        if node.op_type == "MaxPool":
            return node if value.index() == 1 else None
        if node.op_type not in ("Reshape", "Sub", "Mod", "Cast", "Identity"):
            return None
        value = node.inputs[0]
    return None


def _before_reshape(value: ir.Value) -> ir.Value:
    node = value.producer()
    if node is not None and node.op_type == "Reshape" and node.inputs[0] is not None:
        return node.inputs[0]
    return value


def _after_reshape(value: ir.Value) -> ir.Value | None:
    """The only value that a Reshape, and nothing else, makes of another one."""
    consumers = value.consumers()
    if value.is_graph_output() or len(consumers) != 1 or consumers[0].op_type != "Reshape":
        return None
    return consumers[0].outputs[0]


def _counts_in_a_plane(places: ir.Value, pool: ir.Node) -> bool:
    subtraction = places.producer()
    if subtraction is None or subtraction.op_type != "Sub" or subtraction.inputs[0] is not pool.outputs[1]:
        return False
    first = subtraction.inputs[1]
    cut = first.producer() if first is not None else None
    if cut is None or cut.op_type != "Slice" or cut.inputs[0] is None:
        return False
    bounds = [_ints(value) for value in cut.inputs[1:4]]
    numbers = cut.inputs[0].producer()
    return (
        bounds == [[0, 0], [1, 1], [2, 3]]
        and numbers is not None
        and numbers.op_type == "MaxPool"
        and cut.inputs[0].index() == 1
        and numbers.inputs[0] is pool.inputs[0]
        and list(numbers.attributes.get_ints("kernel_shape", ())) == [1, 1]
        and set(numbers.attributes.get_ints("strides", (1,))) == {1}
        and not any(numbers.attributes.get_ints("pads", ()))
    )


def _planes(zeros: ir.Value, pool: ir.Node, gradient: ir.Value, result: ir.Value | None) -> bool:
    """Whether the planes of X and of dY, one a row, are what is scattered and what comes out, where known."""
    x, y = pool.inputs[0], pool.outputs[0]
    if x is None or result is None:
        return False
    shape = known_shape(x)
    rows = known_shape(zeros)
    if shape is None or len(shape) != 4 or (rows is not None and len(rows) != 2):
        return False
    size = [dim for dim in shape[2:] if dim is not None]
    if rows is not None and len(size) == 2 and not _agree(rows[1:], [math.prod(size)]):
        return False
    return _agree(known_shape(result), shape) and _agree(known_shape(gradient), known_shape(y))


def _agree(a: Sequence[int | None] | None, b: Sequence[int | None] | None) -> bool:
    if a is None or b is None or len(a) != len(b):
        return False
    return all(m is None or n is None or m == n for m, n in zip(a, b, strict=True))


def _is_zero(value: ir.Value) -> bool:
    """A constant of zeros, or one that is expanded from it."""
    node = value.producer()
    if node is not None and node.op_type in ("Expand", "Reshape", "Identity", "Cast", "CastLike"):
        return node.inputs[0] is not None and _is_zero(node.inputs[0])
    if node is not None and node.op_type == "ConstantOfShape":
        tensor = node.attributes.get("value")
        return tensor is None or not np.any(tensor.as_tensor().numpy())
    array = ir.convenience.get_const_tensor(value)
    return array is not None and not np.any(array.numpy())


def _ints(value: ir.Value | None) -> list[int] | None:
    tensor = None if value is None else ir.convenience.get_const_tensor(value)
    return None if tensor is None else [int(number) for number in tensor.numpy().reshape(-1)]
