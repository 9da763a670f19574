"""Topological order: every node after those whose outputs or end it waits for."""

from __future__ import annotations

import heapq
from dataclasses import replace

from maxpoolgrad_onnx.errors import quoted

from .graph import Graph, Node
from .refusal import fail


def in_topological_order(graph: Graph) -> Graph:
    """The same graph, its nodes reordered where they must be; free nodes keep their present order.

    Inputs that name no node of the graph are left to verify. Raises MaxPoolGradError where there is a cycle.
    """
    numbers = {node.name: number for number, node in enumerate(graph.nodes)}
    followers: list[list[int]] = [[] for _ in graph.nodes]
    waiting = [0] * len(graph.nodes)
    for number, node in enumerate(graph.nodes):
        for source in {numbers[name] for name in _sources(node) if name in numbers}:
            followers[source].append(number)
            waiting[number] += 1
    ready = [number for number, count in enumerate(waiting) if not count]
    order: list[int] = []
    while ready:
        number = heapq.heappop(ready)
        order.append(number)
        for follower in followers[number]:
            waiting[follower] -= 1
            if not waiting[follower]:
                heapq.heappush(ready, follower)
    if len(order) < len(graph.nodes):
        stuck = graph.nodes[next(number for number, count in enumerate(waiting) if count)]
        fail(
            f"graph {quoted(graph.name)}",
            f"node {quoted(stuck.name)} waits for a cycle",
            "remove an edge of it",
        )
    if order == list(range(len(order))):
        return graph
    return replace(graph, nodes=[graph.nodes[number] for number in order])


def _sources(node: Node) -> set[str]:
    return {*node.control_inputs, *(edge.node for edge in node.inputs if edge is not None)}
