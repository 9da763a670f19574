"""What BatchNorm leaves for its gradient: reserve_space_1 and those that follow, outputs 3 to 5."""

from __future__ import annotations

from ..ge_node import GeNode
from ..registry import part

FIRST_RESERVE = 3
"""The port of reserve_space_1, an output of BatchNorm and an input of BatchNormGrad; the others follow."""


@part("BatchNorm")
def only_gives_statistics(node: GeNode) -> bool:
    """Whether it is there for the gradients alone, which compute the statistics themselves."""
    if any(node.consumer_ends(output) for output in range(FIRST_RESERVE)) or not node.attr("is_training"):
        return False
    ports = [port for output in range(FIRST_RESERVE, 6) for port in node.consumer_ports(output)]
    return bool(ports) and all(type_ == "BatchNormGrad" and at >= FIRST_RESERVE for type_, at in ports)
