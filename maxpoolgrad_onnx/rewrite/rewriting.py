"""The walk through a model: each rule at each node, what matches is replaced, what nearly does is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import onnx
import onnx_ir as ir
import onnx_ir.passes.common as passes

from ..contract import DOMAIN, OP_TYPE, OPSET_VERSION
from ..errors import MaxPoolGradError
from ..gradient.refusal import subject_of
from ..model_files import ModelOrPath, as_model
from ..shapes import infer_types
from .ort_training import max_pool_grad
from .pool import Replacement
from .torch_scatter import scattered_gradient

Rule = Callable[[ir.Node], Replacement | None]
"""What to put in a node's place; None where the rule has nothing to do with it, MaxPoolGradError where it
nearly matches, with the reason why not."""

RULES: tuple[Rule, ...] = (scattered_gradient, max_pool_grad)


@dataclass(frozen=True)
class Rewritten:
    """A model with every gradient that could be rewritten.

    `replaced` says, one sentence each, what became npu::MaxPoolV3Grad; `refused` what looks like such a
    gradient and stays, and why.
    """

    model: onnx.ModelProto
    replaced: tuple[str, ...]
    refused: tuple[str, ...]


def rewrite(model: ModelOrPath) -> Rewritten:
    """Rewrite the gradients of max pooling that other tools write to npu::MaxPoolV3Grad.

    A replacement gives the same values, save where the forms differ: sums of float16 are made in float32, and
    a window without a number above -Inf (one of NaN, say) passes nothing on. What only served the old form is
    removed. Nodes inside functions and subgraphs stay as they are. The model given is not changed.

    Raises MaxPoolGradError where the model cannot be read.
    """
    rewritten = ir.from_proto(infer_types(as_model(model)))
    graph = rewritten.graph
    replaced, refused = [], []
    for node in list(graph):
        for rule in RULES:
            try:
                replacement = rule(node)
            except MaxPoolGradError as refusal:
                refused.append(str(refusal))
                break
            if replacement is not None:
                replaced.append(f"{subject_of(node)} became {DOMAIN}::{OP_TYPE} of {replacement.pool}")
                _replace(graph, node, replacement)
                break
    if replaced:
        graph.opset_imports[DOMAIN] = OPSET_VERSION
        passes.RemoveUnusedNodesPass()(rewritten)
        passes.RemoveUnusedOpsetsPass()(rewritten)
    return Rewritten(ir.to_proto(rewritten), tuple(replaced), tuple(refused))


def _replace(graph: ir.Graph, node: ir.Node, replacement: Replacement) -> None:
    """Put the operator before `node`, in place of the value that the old form computes."""
    old = replacement.result
    result = ir.Value(name=old.name, type=old.type, shape=old.shape)
    new = ir.node(
        OP_TYPE, replacement.inputs, replacement.attributes, domain=DOMAIN, outputs=[result], name=node.name
    )
    graph.insert_before(node, new)
    last = old.producer()
    assert last is not None
    old.replace_all_uses_with(result, replace_graph_outputs=True)
    old.name = f"{old.name}.replaced"
    graph.remove(last, safe=True)
