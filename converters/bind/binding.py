"""Every MaxPoolV3Grad of a model: bound to a kernel, or why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from maxpoolgrad_onnx.contract import OP_TYPE
from maxpoolgrad_onnx.errors import MaxPoolGradError

from ..ge_ir import GeModel, KernelLaunch, Node
from ..profiles.cases import profile_case
from .pool_grad import read_pool_grad
from .tiling import plan_launch


@dataclass(frozen=True)
class Binding:
    """The launch of each node that is bound, and of the others why they are not; both by the node's name."""

    launches: Mapping[str, KernelLaunch]
    unbound: Mapping[str, str]


def bind(model: GeModel, soc_version: str) -> Binding:
    """Plan the launch of every MaxPoolV3Grad on a processor, of one in the graph of a profile too.

    A node stays unbound where its shapes are not known, where it lies in another graph that a node calls,
    where the operator refuses what it says, or where the processor is not known; none of these raises.
    """
    launches: dict[str, KernelLaunch] = {}
    unbound: dict[str, str] = {}
    case = profile_case(model.graph)
    profiles = () if case is None else case.subgraphs
    for graph in (model.graph, *model.subgraphs):
        for node in graph.nodes:
            if node.type != OP_TYPE:
                continue
            if graph is not model.graph and graph.name not in profiles:
                unbound[node.name] = f"it lies in the graph {graph.name!r}, which a node of the model calls"
                continue
            try:
                launches[node.name] = _launch(node, soc_version)
            except MaxPoolGradError as error:
                unbound[node.name] = str(error)
    return Binding(launches, unbound)


def _launch(node: Node, soc_version: str) -> KernelLaunch:
    pool_grad = read_pool_grad(node)
    orig_input, orig_output, _ = pool_grad.known_shapes()
    return plan_launch(pool_grad.attributes, pool_grad.dtype, orig_input, orig_output, soc_version)
