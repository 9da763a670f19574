"""A model's functions, counted before a library unfolds them: a short file may stand for 2^60 nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, NamedTuple

from .errors import MaxPoolGradError, quoted
from .nodes import nested
from .opsets import usual_domain

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

MOST_NODES = 50_000
"""That calls may unfold to in one model."""

MOST_CALLS = 10_000
"""Of functions in one model, calls by functions among them: each takes ONNX Runtime some 0.2 ms."""

_Key = tuple[str, str, str]


class _Size(NamedTuple):
    """What calls unfold to, and by how many calls."""

    nodes: int
    calls: int


def check_calls(model: ModelProto, name: str) -> None:
    """Refuse functions that call each other in a circle, or unfold to too many nodes or by too many calls.

    `name` is what a sentence calls the model. Raises MaxPoolGradError (E10041).
    """
    bodies = {
        (usual_domain(f.domain), f.name, f.overload): list(map(_key, nested(f.node))) for f in model.functions
    }
    sizes: dict[_Key, _Size] = {}
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
    unfolded = _unfolded(calls, sizes)
    for found, most, what in (
        (unfolded.nodes, MOST_NODES, "nodes"),
        (unfolded.calls, MOST_CALLS, "calls of functions"),
    ):
        if found > most:
            count = "more than 2^60" if found > 2**60 else str(found)
            raise MaxPoolGradError(
                f"{name}: its functions unfold to {count} {what}; up to {most} are allowed: export it again "
                "without functions",
                code="E10041",
            )


def _unfolded(calls: Iterable[_Key], sizes: Mapping[_Key, _Size]) -> _Size:
    nodes = made = 0
    for call in calls:
        size = sizes.get(call)
        nodes += 1 if size is None else size.nodes
        made += 0 if size is None else size.calls + 1
    return _Size(min(nodes, 2**61), min(made, 2**61))


def _key(node: NodeProto) -> _Key:
    return usual_domain(node.domain), node.op_type, node.overload
