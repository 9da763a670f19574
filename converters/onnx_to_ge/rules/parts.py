"""Parts of tensors: joined and split."""

from __future__ import annotations

from ...ge_ir import Shape
from ..graph_builder import Value
from ..onnx_node import OnnxNode, TypeOf
from ..registry import rule


@rule("Concat")
def concat(node: OnnxNode) -> None:
    """Concat(inputs) along `axis` becomes ConcatD(x0, x1, ...) with concat_dim = axis and N inputs; one is
    Identity(x)."""
    inputs = node.inputs()
    if len(inputs) == 1:
        node.add("Identity", inputs)
        return
    node.add("ConcatD", inputs, {"concat_dim": node.attr_int("axis", 0), "N": len(inputs)})


@rule("Split")
def split(node: OnnxNode) -> None:
    """Split(input, split) along `axis` becomes Split or SplitV, axis a constant int32 scalar.

    | ONNX                                             | GE                                             |
    |--------------------------------------------------|------------------------------------------------|
    | sizes given, as an attribute (opset < 13) or not | SplitV(x, size_splits, split_dim), num_split   |
    | no sizes, parts alike                            | Split(split_dim, x), num_split                 |
    | no sizes, the last part smaller (opset 18)       | SplitV with the sizes written out              |

    Refused: parts without sizes, in opset 18, of an axis of unknown size, which need not be alike.
    """
    x, axis, count = node.input(0), node.attr_int("axis", 0), len(node.proto.output)
    if node.attr_int("num_outputs", count) != count:
        node.refuse(f"num_outputs is {node.attr_int('num_outputs', count)} and it has {count} outputs")
    dim = node.add_constant(axis, "split_dim", "int32")
    sizes = _sizes(node)
    if sizes is None and x.shape is not None and x.shape[axis] >= 0:
        length = -(-x.shape[axis] // count)
        rest = x.shape[axis] - length * (count - 1)
        if rest < 0:
            node.refuse(f"it splits {x.shape[axis]} elements into {count} parts of {length}; give the sizes")
        if rest != length:
            sizes = node.add_constant([length] * (count - 1) + [rest], "size_splits")
    elif sizes is None and node.opset >= 18:
        node.refuse(f"axis {axis} has no known size, so its parts need not be alike; give their sizes")
    types = _types(x, axis, count, sizes)
    if sizes is None:
        parts = node.add_inner_all("Split", "parts", [dim, x], types, {"num_split": count})
    else:
        parts = node.add_inner_all("SplitV", "parts", [x, sizes, dim], types, {"num_split": count})
    node.give(*parts)


def _sizes(node: OnnxNode) -> Value | None:
    if node.opset >= 13:
        return node.optional_input(1)
    sizes = node.attr_ints("split")
    return node.add_constant(sizes, "size_splits") if sizes else None


def _types(x: Value, axis: int, count: int, sizes: Value | None) -> list[TypeOf]:
    """Types of the parts, those that nobody takes among them, which inference does not know."""
    if x.shape is None:
        return [(x.dtype, None)] * count
    if sizes is None:
        lengths = [x.shape[axis] // count if x.shape[axis] >= 0 else -1] * count
    else:
        lengths = [-1] * count if sizes.constant is None else [int(size) for size in sizes.constant.ravel()]
    return [(x.dtype, _resized(x.shape, axis, length)) for length in lengths]


def _resized(shape: Shape, axis: int, length: int) -> Shape:
    sizes = list(shape)
    sizes[axis] = length
    return tuple(sizes)
