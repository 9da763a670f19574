"""Runs whose orig_output is not what pooling gave for their orig_input."""

from __future__ import annotations

from collections.abc import Mapping

from onnx import ModelProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import PoolAttributes, is_max_pool_v3_grad, node_subject
from maxpoolgrad_onnx.matching import windows_without_match


def unmatched_windows(model: ModelProto, feeds: Mapping[str, Array]) -> dict[str, int]:
    """How many windows give their gradient to nobody, by node (as sentences call it).

    Counted where a node takes orig_input and orig_output from the model's inputs; nodes without such windows
    are left out. In a whole training step the model computes both itself, and they match.
    """
    counts: dict[str, int] = {}
    for node in model.graph.node:
        if is_max_pool_v3_grad(node) and all(name in feeds for name in node.input[:2]):
            orig_input, orig_output = (feeds[name] for name in node.input[:2])
            found = windows_without_match(PoolAttributes.from_node(node), orig_input, orig_output)
            if found:
                counts[node_subject(node.name)] = found
    return counts
