"""Parts of a step as functions of the model, of domain `maxpoolgrad`: a node each.

    SoftmaxCrossEntropy, MeanSquaredError ...   the loss and the gradient of the model's output
    SGD, Adam, AdamW                            the update of all parameters, with clipping and scaling
    DropoutKeys, DropoutMask                    what a Dropout in training form is multiplied by
    <Operator>Grad                              a gradient rule that takes several standard operators

Each is written to the tape in standard operators first, and unfolded it is those again: the same nodes in the
same order, so the same bits. What they read is handed in, constants too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import onnx
import onnx.helper
import onnx_ir as ir

from ..opsets import FUNCTION_DOMAIN
from .tape import Tape, dtype_of, shape_of

_Output = TypeVar("_Output", ir.Value, ir.Value | None)


def fold_into_function(
    tape: Tape,
    name: str,
    first: int,
    outputs: Sequence[_Output],
    *,
    inputs: Sequence[ir.Value] = (),
    formal: Mapping[ir.Value, str] | None = None,
) -> list[_Output]:
    """Make one node of those on the tape from number `first` on; returns what stands for `outputs` then.

    It reads what they read from elsewhere, `inputs` in front. With `formal`, names for what is read, values
    in the function have names of its own, so that parts that differ in names alone are one function. Shapes
    that other parts may read stay outside. A single node stays as it is, and so do operators of `npu`.
    """
    replaced = _folded(tape, name, first, outputs, inputs, formal)
    return [value if value is None else replaced.get(value, value) for value in outputs]


def _folded(
    tape: Tape,
    name: str,
    first: int,
    outputs: Sequence[ir.Value | None],
    inputs: Sequence[ir.Value],
    formal: Mapping[ir.Value, str] | None,
) -> dict[ir.Value, ir.Value]:
    """The outputs of the nodes from number `first` on, each with that of the node which takes their place."""
    nodes, shared = _split(tape, first, outputs)
    if tape.functions.unfolded or not _can_be_function(nodes, shared):
        return {}
    written = _written_by(nodes)
    read = dict.fromkeys(value for value in _read_by(nodes) if value not in written)
    taken = [*dict.fromkeys([*(value for value in inputs if value in read), *read])]
    given = [*dict.fromkeys(value for value in outputs if value is not None and value in written)]
    body = _function(name, tape.opset, nodes, taken, given)
    if formal is not None:
        _rename(body, taken, formal, tape.scope)
    for node in tape.nodes[first:]:
        if node not in shared:
            _forget(node)
    tape.nodes[first:] = shared
    results = [(dtype_of(value), shape_of(value)) for value in given]
    called = tape.ops(tape.functions.add(body), taken, results, domain=FUNCTION_DOMAIN)
    for inner, outer in zip(given, called, strict=True):
        outer.name = inner.name
    return dict(zip(given, called, strict=True))


def _can_be_function(nodes: Sequence[ir.Node], shared: Sequence[ir.Node]) -> bool:
    """Whether there are several nodes, all standard, and what stays outside reads none of theirs."""
    standard = not any(node.domain for node in nodes)
    return len(nodes) > 1 and standard and _written_by(nodes).isdisjoint(_read_by(shared))


def _function(
    name: str, opset: int, nodes: Sequence[ir.Node], inputs: Sequence[ir.Value], outputs: Sequence[ir.Value]
) -> onnx.FunctionProto:
    return onnx.helper.make_function(
        FUNCTION_DOMAIN,
        name,
        [str(value.name) for value in inputs],
        [str(value.name) for value in outputs],
        [ir.to_proto(node) for node in nodes],
        [onnx.helper.make_opsetid("", opset)],
    )


def _split(tape: Tape, first: int, outputs: Sequence[ir.Value | None]) -> tuple[list[ir.Node], list[ir.Node]]:
    """The nodes that `outputs` need, and those whose results the tape may hand out again."""
    wanted = set(outputs)
    nodes: list[ir.Node] = []
    shared: list[ir.Node] = []
    for node in reversed(tape.nodes[first:]):
        if tape.is_shared(node.outputs[0]):
            shared.insert(0, node)
        elif not wanted.isdisjoint(node.outputs):
            nodes.insert(0, node)
            wanted.update(node.inputs)
    return nodes, shared


def _written_by(nodes: Sequence[ir.Node]) -> set[ir.Value]:
    return {value for node in nodes for value in node.outputs}


def _read_by(nodes: Sequence[ir.Node]) -> list[ir.Value]:
    return [value for node in nodes for value in node.inputs if value is not None]


def _forget(node: ir.Node) -> None:
    """What a node of a function reads does not count as read by it in the graph."""
    for index in range(len(node.inputs)):
        node.replace_input_with(index, None)


def _rename(
    body: onnx.FunctionProto, taken: Sequence[ir.Value], formal: Mapping[ir.Value, str], scope: str
) -> None:
    """Names that say what a value is to the function, in place of where it comes from."""
    names: dict[str, str] = {"": ""}
    for value in taken:
        names[str(value.name)] = formal.get(value) or f"C{len(names)}"
    for node in body.node:
        node.name = _local(node.name, scope, body.name)
        for name in node.output:
            names[name] = _local(name, scope, body.name)
    for node in body.node:
        for field in (node.input, node.output):
            field[:] = [names[name] for name in field]
    for field in (body.input, body.output):
        field[:] = [names[name] for name in field]


def _local(name: str, scope: str, function: str) -> str:
    return f"{function}{name.removeprefix(scope)}"
