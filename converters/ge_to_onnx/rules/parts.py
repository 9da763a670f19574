"""Parts of tensors: joined and split."""

from __future__ import annotations

from ..ge_node import GeNode
from ..registry import rule


@rule("ConcatD")
def concat(node: GeNode) -> None:
    """ConcatD(x0, x1, ...) along concat_dim becomes Concat(inputs) along axis."""
    if node.attr("N") != node.input_count:
        node.refuse(f"N is {node.attr('N')} but it has {node.input_count} inputs")
    node.add("Concat", node.inputs(), axis=node.attr("concat_dim"))


@rule("Split")
def split(node: GeNode) -> None:
    """Split(split_dim, x), split_dim a constant, becomes Split(input) with num_outputs and axis."""
    axis = node.integer(0, "split_dim")
    node.add("Split", [node.input(1)], axis=axis, num_outputs=_count(node))


@rule("SplitV")
def split_by_sizes(node: GeNode) -> None:
    """SplitV(x, size_splits, split_dim), split_dim a constant, becomes Split(input, split) along axis."""
    _count(node)
    axis = node.integer(2, "split_dim")
    node.add("Split", [node.input(0), node.as_int64(1, "size_splits")], axis=axis)


def _count(node: GeNode) -> int:
    count = len(node.node.output_descs)
    if node.attr("num_split") != count:
        node.refuse(f"num_split is {node.attr('num_split')} but it has {count} outputs")
    return count
