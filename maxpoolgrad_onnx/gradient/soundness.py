"""What is wrong with a forward model by ONNX's own rules."""

from __future__ import annotations

import onnx
import onnx.checker

from ..errors import MaxPoolGradError, one_line, quoted
from ..opsets import IR_VERSION
from ..shapes import stand_in_for


def not_sound(reason: str) -> MaxPoolGradError:
    """The error for a model that breaks ONNX's own rules."""
    return MaxPoolGradError(f"the model is not sound: {one_line(reason)}; check it with onnx.checker")


def check_nodes(model: onnx.ModelProto) -> None:
    """Refuse a node whose inputs or attributes are not those of its operator: the rules rely on them.

    `model` has no functions. Raises MaxPoolGradError.
    """
    context = onnx.checker.C.CheckerContext()
    context.ir_version = IR_VERSION
    context.opset_imports = {entry.domain: entry.version for entry in model.opset_import}
    for node in model.graph.node:
        if node.domain in context.opset_imports and not _holds_graphs(node):
            try:
                onnx.checker.check_node(node, context)
            except onnx.checker.ValidationError as error:
                raise not_sound(str(error)) from error


def check_step(step: onnx.ModelProto) -> None:
    """Refuse a step that onnx.checker, with strict shape inference, does: its forward nodes do not fit."""
    try:
        onnx.checker.check_model(stand_in_for(step), full_check=True)
    except Exception as error:  # onnx's own and protobuf's have no common base
        raise not_sound(str(error)) from error


def check_defined(graph: onnx.GraphProto) -> None:
    """Refuse what is read or given out and made by nothing, or twice; onnx_ir would make an input of it.

    Sparse initializers are refused, too: nothing here reads them.
    """
    for tensor in graph.sparse_initializer:
        raise MaxPoolGradError(
            f"initializer {quoted(tensor.values.name)} is sparse; write it as an ordinary one, with its zeros"
        )
    defined = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
    for node in graph.node:
        for name in filter(None, node.output):
            if name in defined:
                raise MaxPoolGradError(
                    f"{_subject(node)} makes {quoted(name)}, which the model has already; rename one of them"
                )
            defined.add(name)
    for node in graph.node:
        for name in node.input:
            if name and name not in defined:
                raise MaxPoolGradError(
                    f"{_subject(node)} reads {quoted(name)}, which nothing in the model gives; export the "
                    "model with its weights"
                )
    for value in graph.output:
        if value.name not in defined:
            raise MaxPoolGradError(
                f"nothing in the model gives its output {quoted(value.name)}; export the model again"
            )


def _subject(node: onnx.NodeProto) -> str:
    return f"{node.op_type} node {quoted(node.name or next(iter(node.output), ''))}"


def _holds_graphs(node: onnx.NodeProto) -> bool:
    """onnx cannot check such a node alone: its graphs may read what lies outside."""
    return any(attribute.HasField("g") or attribute.graphs for attribute in node.attribute)
