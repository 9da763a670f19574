"""Reverse-mode differentiation: the forward nodes from last to first, one rule for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

import onnx_ir as ir

from ..errors import quoted
from .functions import fold_into_function
from .refusal import refusal
from .rules import RULES, Rule
from .tape import Tape


def values_needing_gradient(nodes: Iterable[ir.Node], sources: Iterable[ir.Value]) -> Set[ir.Value]:
    """`sources` and every floating-point value computed from them: where gradients flow, and nowhere else."""
    needed = set(sources)
    for node in nodes:
        if any(value in needed for value in inputs_of(node)):
            needed.update(out for out in node.outputs if out.dtype is None or out.dtype.is_floating_point())
    return needed


def propagate(
    tape: Tape, nodes: Sequence[ir.Node], seeds: Mapping[ir.Value, ir.Value]
) -> dict[ir.Value, ir.Value]:
    """Write the backward pass of `nodes` (in topological order) to the tape.

    `seeds` holds gradients that are known: that of the logits. Returns the gradient of every value that has
    one. A value used more than once gets the sum of its uses' gradients, the last use first. Nodes that no
    gradient reaches, and inputs that need none, cost nothing.
    Raises MaxPoolGradError for a node without a rule.
    """
    terms: dict[ir.Value, list[ir.Value]] = {value: [gradient] for value, gradient in seeds.items()}
    gradients: dict[ir.Value, ir.Value] = {}
    named: set[ir.Value] = set()

    def settle(value: ir.Value) -> ir.Value | None:
        """The gradient of a value all of whose uses have been visited."""
        if value in terms:
            gradients[value] = _named_sum(tape, value, terms.pop(value), named)
        return gradients.get(value)

    for node in reversed(nodes):
        tape.scope = f"{node.name}.grad"
        outer = [settle(output) for output in node.outputs]
        if any(gradient is not None for gradient in outer) and any(map(tape.needs, inputs_of(node))):
            for value, gradient in zip(node.inputs, _apply_rule(tape, node, outer), strict=True):
                if value is not None and gradient is not None:
                    terms.setdefault(value, []).append(gradient)
    for value in list(terms):
        tape.scope = f"{value.name}.grad"
        settle(value)
    return gradients


def inputs_of(node: ir.Node) -> Iterator[ir.Value]:
    """The values a node reads, those that its subgraphs take from outside included."""
    yield from (value for value in node.inputs if value is not None)
    for attribute in node.attributes.values():
        if attribute.type == ir.AttributeType.GRAPH:
            for inner in attribute.as_graph():
                yield from inputs_of(inner)


def _apply_rule(tape: Tape, node: ir.Node, outer: Sequence[ir.Value | None]) -> Sequence[ir.Value | None]:
    rule = _rule_for(node)
    for value in (*node.inputs, node.outputs[0], *(other for other in node.outputs[1:] if other.uses())):
        if value is not None and (value.shape is None or value.dtype is None):
            producer = value.producer()
            if producer is not None and any(map(tape.needs, inputs_of(producer))):
                _rule_for(producer)  # an unknown operator is why its result has no shape
            raise refusal(
                node,
                f"the shape of {quoted(value.name)} cannot be inferred",
                "give the model's inputs their shapes (symbolic dimensions are fine)",
            )
    first = len(tape.nodes)
    results = rule(tape, node, *outer)
    return fold_into_function(tape, f"{node.op_type}Grad", first, results, formal=_formal(node, outer))


def _formal(node: ir.Node, outer: Sequence[ir.Value | None]) -> dict[ir.Value, str]:
    """What the rules call the values that they read."""
    groups = {"X": node.inputs, "Y": node.outputs, "dY": outer}
    return {
        value: f"{letter}{number or ''}"
        for letter, values in groups.items()
        for number, value in enumerate(values)
        if value is not None
    }


def _rule_for(node: ir.Node) -> Rule:
    if node.domain == "" and node.op_type in RULES:
        return RULES[node.op_type]
    operator = f"{node.domain}::{node.op_type}" if node.domain else node.op_type
    raise refusal(
        node,
        f"there is no gradient rule for {operator}, and a parameter before it would need one",
        f"rules exist for {', '.join(RULES)}; replace the node, or freeze the parameters before it",
    )


def _named_sum(tape: Tape, value: ir.Value, terms: Sequence[ir.Value], named: set[ir.Value]) -> ir.Value:
    """The sum of a value's gradients; what was computed for it alone is called `<value>.grad`."""
    if len(terms) > 1:
        for term in terms:
            _name_once(tape, term, f"{value.name}.grad.part", named)
    total = tape.add(terms, like=value)
    _name_once(tape, total, f"{value.name}.grad", named)
    return total


def _name_once(tape: Tape, gradient: ir.Value, name: str, named: set[ir.Value]) -> None:
    if gradient not in named:
        named.add(gradient)
        tape.rename(gradient, name)
