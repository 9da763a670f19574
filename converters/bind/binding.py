"""Every MaxPoolV3Grad of a model: bound to a kernel, or why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from maxpoolgrad_onnx.contract import OP_TYPE
from maxpoolgrad_onnx.errors import MaxPoolGradError

from ..ge_ir import GeModel, KernelLaunch, Node
from .pool_grad import read_pool_grad
from .tiling import plan_launch


@dataclass(frozen=True)
class Binding:
    """The launch of each node that is bound, and of the others why they are not; both by the node's name."""

    launches: Mapping[str, KernelLaunch]
    unbound: Mapping[str, str]


def bind(model: GeModel, soc_version: str) -> Binding:
    """Plan the launch of every MaxPoolV3Grad on a processor.

    A node stays unbound where its shapes are not known, where it lies in a graph that another node calls,
    where the operator refuses what it says, or where the processor is not known; none of these raises.
    """
    launches: dict[str, KernelLaunch] = {}
    unbound: dict[str, str] = {}
    for node in model.graph.nodes:
        if node.type == OP_TYPE:
            try:
                launches[node.name] = _launch(node, soc_version)
            except MaxPoolGradError as error:
                unbound[node.name] = str(error)
    for graph in model.subgraphs:
        for node in graph.nodes:
            if node.type == OP_TYPE:
                unbound[node.name] = f"it lies in the graph {graph.name!r}, which a node of the model calls"
    return Binding(launches, unbound)


def _launch(node: Node, soc_version: str) -> KernelLaunch:
    pool_grad = read_pool_grad(node)
    orig_input, orig_output, _ = pool_grad.known_shapes()
    return plan_launch(pool_grad.attributes, pool_grad.dtype, orig_input, orig_output, soc_version)
