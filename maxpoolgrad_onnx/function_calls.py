"""A model's functions, counted before a library unfolds them: a short file may stand for 2^60 nodes."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from .errors import MaxPoolGradError, quoted
from .nodes import nested
from .opsets import usual_domain

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

MOST_NODES = 50_000
"""That calls may unfold to in one model."""

_Key = tuple[str, str, str]


def check_calls(model: ModelProto, name: str) -> None:
    """Refuse functions that call each other in a circle, or unfold to more than MOST_NODES nodes.

    `name` is what a sentence calls the model. Raises MaxPoolGradError (E10041).
    """
    bodies = {
        (usual_domain(f.domain), f.name, f.overload): list(map(_key, nested(f.node))) for f in model.functions
    }
    sizes: dict[_Key, int] = {}
    try:
        for key in TopologicalSorter(bodies).static_order():
            if key in bodies:
                sizes[key] = _unfolded(bodies[key], sizes)
    except CycleError as error:
        function = quoted("::".join(part for part in error.args[1][0] if part))
        raise MaxPoolGradError(
            f"{name}: its function {function} leads back to itself; export it again without functions",
            code="E10041",
        ) from error
    calls = [call for call in map(_key, nested(model.graph.node)) if call in sizes]
    nodes = _unfolded(calls, sizes)
    if nodes > MOST_NODES:
        count = "more than 2^60" if nodes > 2**60 else str(nodes)
        raise MaxPoolGradError(
            f"{name}: its functions unfold to {count} nodes; up to {MOST_NODES} are allowed: export it again "
            "without functions",
            code="E10041",
        )


def _unfolded(calls: Iterable[_Key], sizes: dict[_Key, int]) -> int:
    return min(sum(sizes.get(call, 1) for call in calls), 2**61)


def _key(node: NodeProto) -> _Key:
    return usual_domain(node.domain), node.op_type, node.overload
