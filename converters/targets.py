"""What of a model no public document says a product accepts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from onnx import ModelProto

from maxpoolgrad_onnx import _native
from maxpoolgrad_onnx.contract import check_soc_version
from maxpoolgrad_onnx.mapped_model import MappedModel, map_model

from .file_format import ModelFile
from .ge_ir import GeModel, Node
from .ge_ir.keys import CONST_TYPES, DATA_TYPES, NET_OUTPUT
from .ge_ops.documents import DOCUMENTS, PRODUCTS

_NO_OPERATION = (*CONST_TYPES, *DATA_TYPES, NET_OUTPUT)


@dataclass(frozen=True)
class Undocumented:
    """A node of the GE graph, its operator, and what no public document says of it; or one of the ONNX model
    that is not converted, and why."""

    node: str
    type: str
    reason: str


def check_target(
    model: ModelProto | GeModel | str | os.PathLike[str], soc_version: str
) -> list[Undocumented]:
    """The nodes of a model, as GE has it, that no public document says a product accepts, in graph order,
    after those that are not converted.

    Either no document is there that names products, or it does not name this one, or not the node's data
    type. That is no verdict: a CANN installation holds more than its public part.

    Args:
        model: an ONNX model, GE IR, or the path of an .onnx, .air or .om file.
        soc_version: the product, such as Ascend910B1.

    Raises MaxPoolGradError: a product without the operator (EZ3003), a model that cannot be read.
    """
    check_soc_version(soc_version)
    name = _native.product_of(soc_version)
    product = next(key for key, usual in PRODUCTS.items() if name.startswith(usual))
    refused, nodes = _nodes_of(model)
    return [*refused, *(found for node in nodes for found in _findings(node, product))]


def _nodes_of(
    model: ModelProto | GeModel | str | os.PathLike[str],
) -> tuple[Sequence[Undocumented], Sequence[Node]]:
    """What is not converted, and GE's nodes."""
    if isinstance(model, ModelProto):
        return _surveyed(MappedModel(model))
    if not isinstance(model, GeModel):
        if ModelFile.map(model).format == "onnx":
            return _surveyed(map_model(model))
        from .loading import load

        model = load(model)
    return [], [node for graph in (model.graph, *model.subgraphs) for node in graph.nodes]


def _surveyed(model: MappedModel) -> tuple[Sequence[Undocumented], Sequence[Node]]:
    from .onnx_to_ge.survey import survey

    found = survey(model)
    refused = [
        Undocumented(outcome.node.name or next(iter(outcome.node.output), ""), outcome.node.op_type, why)
        for outcome in found.outcomes
        if (why := outcome.refusal) is not None
    ]
    return refused, found.converted


def _findings(node: Node, product: str) -> Iterator[Undocumented]:
    if node.type in _NO_OPERATION:
        return
    document = DOCUMENTS.get(node.type)
    if document is None:
        yield Undocumented(node.name, node.type, "no public document names products for it")
        return
    if product not in document.products:
        named = " and ".join(PRODUCTS[key] for key in document.products)
        reason = f"{document.path} names {named}, not {PRODUCTS[product]}"
        yield Undocumented(node.name, node.type, reason)
        return
    dtype = node.input_desc(document.port).dtype
    if document.dtypes is not None and dtype not in document.dtypes[product]:
        named = ", ".join(sorted(one.label for one in document.dtypes[product]))
        reason = f"{document.path} names {named} for {PRODUCTS[product]}, not {dtype.label}"
        yield Undocumented(node.name, node.type, reason)
