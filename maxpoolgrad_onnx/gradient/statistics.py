"""The running statistics of batch normalisation: state of a step, and never parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import onnx_ir as ir

from ..errors import quoted
from . import interface
from .refusal import refusal

_MEAN, _VAR = 3, 4  # inputs of BatchNormalization; the running ones after the step are outputs 1 and 2


def statistics_of(nodes: Iterable[ir.Node]) -> Iterator[ir.Value]:
    """The initializers that are the mean or variance of a BatchNormalization, training or not."""
    for node in nodes:
        if node.op_type == "BatchNormalization" and not node.domain:
            for value in node.inputs[_MEAN:]:
                if value is not None and value.const_value is not None:
                    yield value


def running_statistics(nodes: Iterable[ir.Node]) -> Iterator[tuple[ir.Node, int, ir.Value]]:
    """Those that a node in training form updates: the node, the number of its output, and the initializer."""
    for node in nodes:
        if node.attributes.get_int("training_mode", 0):
            for index, value in enumerate(statistics_of([node]), start=1):
                yield node, index, value


def give_updated(nodes: Iterable[ir.Node], wanted: Iterable[ir.Value]) -> dict[ir.Value, ir.Value]:
    """Let nodes in training form give those of their running statistics that are `wanted`.

    Returns each result, called `<name>.updated`, by its initializer.
    Raises MaxPoolGradError where two nodes share one.
    """
    given = set(wanted)
    updated: dict[ir.Value, ir.Value] = {}
    for node, index, value in list(running_statistics(nodes)):
        if value not in given:
            continue
        if value in updated:
            raise refusal(
                node,
                f"its running statistics {quoted(value.name)} are those of another node, too",
                "give each BatchNormalization its own",
            )
        result = node.outputs[index]
        result.name = interface.updated(str(value.name))
        result.type, result.shape = value.type, value.shape
        updated[value] = result
    return updated
