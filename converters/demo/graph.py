"""The training step as a picture: forward down the left, gradients up beside it, updates on the right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from onnx import ModelProto, NodeProto, helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.contract import is_max_pool_v3_grad
from maxpoolgrad_onnx.gradient import SGD
from maxpoolgrad_onnx.gradient.interface import LABELS, LOSS, updated
from maxpoolgrad_onnx.opsets import FUNCTION_DOMAIN
from maxpoolgrad_onnx.values import typed_values

from ..pictures import PictureEdge, PictureNode, graph_picture
from .network import INPUT, SHAPES

_LANES = {"forward": 0, "backward": 1, "highlight": 1, "update": 2}
_SHOWN_ATTRIBUTES = {
    "kernel_shape": "window",
    "ksize": "ksize",
    "strides": "strides",
    "pads": "pads",
    "ceil_mode": "ceil_mode",
}


def step_picture(step: ModelProto) -> str:
    """The step as SVG, a box for each node; parameters and constants are left out."""
    nodes = list(step.graph.node)
    shapes = _shapes(step)
    kinds = {node.name: _kind(node, nodes) for node in nodes}
    pictured = [_picture_node(node, kinds[node.name], shapes) for node in nodes]
    data = [value.name for value in step.graph.input if value.name in (INPUT, LABELS)]
    pictured += [PictureNode(name, name, (_text(shapes[name]),), "value") for name in data]
    pictured.append(PictureNode(LOSS, LOSS, ("a scalar",), "value"))
    edges = _edges(nodes, kinds, data, shapes)
    label = "The training step as a graph: forward pass, gradients with two MaxPoolV3Grad nodes, the update."
    return graph_picture(pictured, edges, label=label)


def _kind(node: NodeProto, nodes: list[NodeProto]) -> str:
    if is_max_pool_v3_grad(node):
        return "highlight"
    if (node.domain, node.op_type) == (FUNCTION_DOMAIN, SGD.__name__):
        return "update"
    return "forward" if any(node.name == other.name for other in _upstream(nodes, {LOSS})) else "backward"


def _upstream(nodes: list[NodeProto], values: set[str]) -> list[NodeProto]:
    """The nodes that these values depend on."""
    wanted, found = set(values), []
    for node in reversed(nodes):
        if wanted.intersection(node.output):
            wanted.update(node.input)
            found.append(node)
    return found


def _picture_node(node: NodeProto, kind: str, shapes: Mapping[str, tuple[int, ...]]) -> PictureNode:
    title, detail = node.op_type, [_settings(node), _text(shapes.get(node.output[0], ()))]
    if kind == "update":
        title = f"{SGD.__name__}, momentum"
        detail = [f"{name} {_text(shape)}" for name, shape in SHAPES.items() if updated(name) in node.output]
    lines = tuple(line for line in detail if line)
    return PictureNode(node.name, title, lines, kind, _LANES[kind], tooltip=node.name)


def _settings(node: NodeProto) -> str:
    """The attributes that say something, in one line."""
    parts = []
    given = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    for name, shown_name in _SHOWN_ATTRIBUTES.items():
        value = given.get(name)
        if name == "ceil_mode":
            parts += [shown_name] if value else []
        elif value is not None and _says_something(name, value):
            sizes = value[2:] if len(value) == 4 and name != "pads" else value
            shown = [sizes[0]] if name == "pads" and len(set(sizes)) == 1 else sizes
            parts.append(f"{shown_name} {_text(shown)}")
    return ", ".join(parts)


def _says_something(name: str, values: list[int]) -> bool:
    return any(values) and not (name == "strides" and set(values) == {1})


def _edges(
    nodes: list[NodeProto],
    kinds: Mapping[str, str],
    data: list[str],
    shapes: Mapping[str, tuple[int, ...]],
) -> list[PictureEdge]:
    maker = {output: node.name for node in nodes for output in node.output}
    upward = ("backward", "highlight")
    edges: dict[tuple[str, str, str], PictureEdge] = {}
    for node in nodes:
        target = node.name
        for value in node.input:
            source = value if value in data else maker.get(value, "")
            if not source:
                continue
            up = kinds.get(source) in upward and kinds[target] in upward
            tooltip = f"{value} {_text(shapes.get(value, ()))}"
            edges.setdefault(
                (source, target, value), PictureEdge(source, target, value, upward=up, tooltip=tooltip)
            )
    edges[maker[LOSS], LOSS, LOSS] = PictureEdge(maker[LOSS], LOSS, LOSS)
    return list(edges.values())


def _shapes(step: ModelProto) -> dict[str, tuple[int, ...]]:
    values = typed_values(mpg.infer_shapes(step).graph)
    return {value.name: tuple(dim.dim_value for dim in value.type.tensor_type.shape.dim) for value in values}


def _text(shape: Iterable[int]) -> str:
    return "x".join(map(str, shape))
