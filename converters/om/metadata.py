"""What the embedded compiler says of itself in a model's attributes.

The attribute soc_version is what GE's loader compares with the device. The embedded compiler builds for the
host, so "host" stands there: a device refuses the file, instead of running the tasks of MaxPoolV3Grad alone,
without binaries. The product that the kernels are planned for has an attribute of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from maxpoolgrad_onnx.contract import OP_TYPE

from ..ge_ir import GeModel, Graph, Node

BUILT_FOR = "soc_version"
PLANNED_FOR = "maxpoolgrad_planned_soc_version"
_BINDING = "maxpoolgrad_binding"
HOST = "host"
_UNBOUND = "unbound: "


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a model was built for ("host" or a soc_version) and planned for (a soc_version or "").

    `unbound` has the MaxPoolV3Grad nodes that no kernel is bound to, and why.
    """

    built_for: str
    planned_for: str
    unbound: Mapping[str, str]


def for_host(model: GeModel, soc_version: str, unbound: Mapping[str, str] = MappingProxyType({})) -> GeModel:
    """The model marked as built for the host and planned for a product.

    `unbound` says of nodes by name why no kernel is bound to them.
    """
    return replace(
        model,
        graph=_marked(model.graph, unbound),
        subgraphs=[_marked(graph, unbound) for graph in model.subgraphs],
        attrs={**model.attrs, BUILT_FOR: HOST, PLANNED_FOR: soc_version},
    )


def metadata_of(model: GeModel) -> Metadata:
    """What a model's attributes say; an .om from atc has only the soc_version it was built for."""
    nodes = [node for graph in (model.graph, *model.subgraphs) for node in graph.nodes if _is_pool_grad(node)]
    reasons = {node.name: reason for node in nodes if (reason := unbound_reason(node))}
    return Metadata(_text(model, BUILT_FOR), _text(model, PLANNED_FOR), reasons)


def unbound_reason(node: Node) -> str:
    """Why no kernel is bound to a node; empty where nothing says that there is none."""
    value = node.attrs.get(_BINDING)
    return value.removeprefix(_UNBOUND) if isinstance(value, str) and value.startswith(_UNBOUND) else ""


def _marked(graph: Graph, unbound: Mapping[str, str]) -> Graph:
    return replace(
        graph, nodes=[_mark(node, unbound) if _is_pool_grad(node) else node for node in graph.nodes]
    )


def _mark(node: Node, unbound: Mapping[str, str]) -> Node:
    attrs = {name: value for name, value in node.attrs.items() if name != _BINDING}
    if node.name in unbound:
        attrs[_BINDING] = _UNBOUND + unbound[node.name]
    return replace(node, attrs=attrs)


def _is_pool_grad(node: Node) -> bool:
    return node.type == OP_TYPE


def _text(model: GeModel, name: str) -> str:
    value = model.attrs.get(name, "")
    return value if isinstance(value, str) else ""
