"""What the embedded compiler says of itself in a model's attributes.

The attribute soc_version is what GE's loader compares with the device. The embedded compiler builds for the
host, so "host" stands there: a device refuses the file, instead of running its empty list of tasks without a
word. The product that the kernels are planned for has an attribute of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from maxpoolgrad_onnx.contract import OP_TYPE

from ..ge_ir import GeModel, Graph, Node

BUILT_FOR = "soc_version"
PLANNED_FOR = "maxpoolgrad_planned_soc_version"
BINDING = "maxpoolgrad_binding"
HOST = "host"
UNBOUND = "unbound"


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a model was built for ("host" or a soc_version) and planned for (a soc_version or "").

    `unbound` names the MaxPoolV3Grad nodes that no kernel is bound to.
    """

    built_for: str
    planned_for: str
    unbound: Sequence[str]


def for_host(model: GeModel, soc_version: str) -> GeModel:
    """The model marked as built for the host and planned for a product, its MaxPoolV3Grad as unbound."""
    return replace(
        model,
        graph=_unbound(model.graph),
        subgraphs=[_unbound(graph) for graph in model.subgraphs],
        attrs={**model.attrs, BUILT_FOR: HOST, PLANNED_FOR: soc_version},
    )


def metadata_of(model: GeModel) -> Metadata:
    """What a model's attributes say; an .om from atc has only the soc_version it was built for."""
    nodes = [node for graph in (model.graph, *model.subgraphs) for node in graph.nodes if _is_pool_grad(node)]
    return Metadata(
        _text(model, BUILT_FOR),
        _text(model, PLANNED_FOR),
        [node.name for node in nodes if node.attrs.get(BINDING) == UNBOUND],
    )


def _unbound(graph: Graph) -> Graph:
    nodes = [
        replace(node, attrs={**node.attrs, BINDING: UNBOUND}) if _is_pool_grad(node) else node
        for node in graph.nodes
    ]
    return replace(graph, nodes=nodes)


def _is_pool_grad(node: Node) -> bool:
    return node.type == OP_TYPE


def _text(model: GeModel, name: str) -> str:
    value = model.attrs.get(name, "")
    return value if isinstance(value, str) else ""
