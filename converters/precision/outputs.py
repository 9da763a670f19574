"""The element types of a model's outputs, as --output_type gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ge_ir import DataType, Edge, GeModel
from ..ge_ir.keys import NET_OUTPUT
from .casts import Casts


def set_output_types(model: GeModel, types: Sequence[DataType | None]) -> GeModel:
    """The model whose outputs have these types, in order; None, and an output beyond them, stays as it is.

    A single type is that of all outputs. What has another type goes through a Cast.
    """
    if not any(types):
        return model
    casts = Casts.of(model.graph)
    outputs: Sequence[Edge] = model.graph.outputs
    for node in model.graph.nodes:
        if node.type != NET_OUTPUT:
            casts.add(node)
            continue
        wanted = list(types) * len(node.input_descs) if len(types) == 1 else list(types)
        wanted += [None] * (len(node.input_descs) - len(wanted))
        descs = {
            port: desc if dtype is None else replace(desc, dtype=dtype, origin_dtype=None)
            for dtype, (port, desc) in zip(wanted, node.input_descs.items(), strict=False)
        }
        outputs = [
            casts.value(edge, desc, desc.dtype)
            for edge, desc in zip(model.graph.outputs, descs.values(), strict=True)
        ]
        casts.add(replace(node, inputs=outputs, input_descs=descs))
    return replace(model, graph=replace(model.graph, nodes=casts.nodes, outputs=outputs))
