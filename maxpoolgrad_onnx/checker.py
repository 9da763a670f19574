"""What is wrong with a model that has MaxPoolV3Grad nodes, and what would be for CANN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import onnx
import onnx.checker

from .codes import INNER_ERROR
from .contract import DEFAULTS, DOMAIN, OPSET_VERSION, is_max_pool_v3_grad, node_subject
from .errors import MaxPoolGradError, one_line, quoted
from .gradient_functions import GRADIENTS
from .model_files import ModelOrPath, as_model
from .node_types import refusals
from .nodes import all_nodes, nested
from .opsets import IR_VERSION, NEWEST_IR_VERSION, NEWEST_OPSET, OLDEST_OPSET, default_opset, usual_domain
from .shapes import TypedNode, infer_types, stand_in_for, typed_pool_nodes
from .values import shape_of


@dataclass(frozen=True)
class Issue:
    """One finding: `node` is its name ("" for the whole model), `code` what atc prints for it, if anything.

    An "error" keeps the model from running; a "warning" keeps it from running everywhere.
    """

    node: str
    severity: Literal["error", "warning"]
    message: str
    code: str | None = None


def check(model: ModelOrPath) -> list[Issue]:
    """Everything that the operator, onnx or CANN's parser would refuse in a model, as far as is known unrun.

    The operator's own rules come first; onnx.checker with full_check has its say where they are kept.
    Raises MaxPoolGradError where `model` is a path that cannot be read.
    """
    model = as_model(model)
    issues = [*_imports(model), *_newer_than_cann(model), *_undefined(model), *_pool_nodes(model)]
    if all(issue.severity != "error" for issue in issues):
        issues += _onnx_checker(model)
    # Names in models may hold any character.
    return [replace(issue, node=one_line(issue.node), message=one_line(issue.message)) for issue in issues]


def _imports(model: onnx.ModelProto) -> Iterator[Issue]:
    yield from _missing_imports(model.graph.node, model.opset_import)
    for function in model.functions:
        yield from _missing_imports(function.node, function.opset_import)
    versions = {entry.domain: entry.version for entry in model.opset_import}
    version = versions.get(DOMAIN, OPSET_VERSION)
    if version != OPSET_VERSION:
        message = (
            f"the model imports version {version} of domain {quoted(DOMAIN)}; it must be {OPSET_VERSION}"
        )
        yield Issue("", "error", message, "E16002")
    if "" in versions and "ai.onnx" in versions:
        yield Issue(
            "",
            "warning",
            f'the model imports both "" ({versions[""]}) and "ai.onnx" ({versions["ai.onnx"]}), two names of '
            "one domain; parsers keep the last, so leave one",
            "E16005",
        )


def _missing_imports(
    nodes: Iterable[onnx.NodeProto], imports: Iterable[onnx.OperatorSetIdProto]
) -> Iterator[Issue]:
    """One issue a domain, at the first node that needs it."""
    known = {usual_domain(entry.domain) for entry in imports}
    for node in nested(nodes):
        domain = usual_domain(node.domain)
        if domain not in known:
            known.add(domain)
            version = f", version {OPSET_VERSION}" if domain == DOMAIN else ""
            yield Issue(
                node.name,
                "error",
                f"node {quoted(node.name)} ({node.op_type}) is of domain {quoted(domain)}, which is not "
                f"imported; add it to opset_import{version}",
                INNER_ERROR,
            )


def _newer_than_cann(model: onnx.ModelProto) -> Iterator[Issue]:
    opset = default_opset(model)
    if opset is not None and not OLDEST_OPSET <= opset <= NEWEST_OPSET:
        yield Issue(
            "",
            "warning",
            f"the model imports opset {opset}; CANN's ONNX parser knows {OLDEST_OPSET} to "
            f"{NEWEST_OPSET}: export it again, or convert it with onnx.version_converter",
            "E16002",
        )
    if model.ir_version > NEWEST_IR_VERSION:
        yield Issue(
            "",
            "warning",
            f"the model's IR version is {model.ir_version}; CANN's ONNX parser reads up to "
            f"{NEWEST_IR_VERSION}: set ir_version to {IR_VERSION}",
        )


def _undefined(model: onnx.ModelProto) -> Iterator[Issue]:
    functions = {function.name for function in model.functions if function.domain == DOMAIN}
    for node in all_nodes(model):
        if node.domain != DOMAIN or is_max_pool_v3_grad(node) or node.op_type in functions:
            continue
        what = f"node {quoted(node.name)} is {DOMAIN}::{node.op_type}, which"
        if node.op_type in GRADIENTS:
            why = "has no function body in the model: the converters know it, ONNX Runtime does not"
            yield Issue(node.name, "warning", f"{what} {why}")
        else:
            why = (
                "neither the library nor a function in the model defines; correct the name or add a function"
            )
            yield Issue(node.name, "error", f"{what} {why}", "E10501")


def _pool_nodes(model: onnx.ModelProto) -> Iterator[Issue]:
    try:
        inferred = infer_types(model)
    except MaxPoolGradError as error:
        yield Issue("", "error", str(error), error.code)
        return
    for typed in typed_pool_nodes(inferred):
        found = list(refusals(typed.node, typed.inputs))
        for refusal in found:
            yield Issue(typed.node.name, "error", str(refusal), refusal.code)
        if not found:
            yield from _declared_output(typed)
            yield from _unwritten_attributes(typed.node, model)


def _declared_output(typed: TypedNode) -> Iterator[Issue]:
    declared, given = shape_of(typed.output), shape_of(typed.inputs[0])
    if declared is None or given is None:
        return
    if len(declared) != len(given) or any(a != b for a, b in zip(declared, given, strict=True) if a and b):
        yield Issue(
            typed.node.name,
            "error",
            f"{node_subject(typed.node.name)}: the model declares {quoted(typed.node.output[0])} with the "
            f"shape {_text(declared)}; out_grad has that of orig_input, {_text(given)}: correct the "
            "declaration",
        )


def _unwritten_attributes(node: onnx.NodeProto, model: onnx.ModelProto) -> Iterator[Issue]:
    """Functions have no defaults that old runtimes know: `embed_function` writes every attribute."""
    if any((function.domain, function.name) == (DOMAIN, node.op_type) for function in model.functions):
        written = {attribute.name for attribute in node.attribute}
        if unwritten := [name for name in DEFAULTS if name not in written]:
            yield Issue(
                node.name,
                "warning",
                f"{node_subject(node.name)}: {', '.join(unwritten)} must be written on the node for the "
                "model's function body to run; embed_function does that",
            )


def _onnx_checker(model: onnx.ModelProto) -> Iterator[Issue]:
    try:
        onnx.checker.check_model(stand_in_for(model), full_check=True)
    except Exception as error:  # onnx's own and protobuf's have no common base
        yield Issue("", "error", f"onnx.checker refuses the model: {error}")


def _text(shape: list[int | None]) -> str:
    return f"[{', '.join('?' if dim is None else str(dim) for dim in shape)}]"
