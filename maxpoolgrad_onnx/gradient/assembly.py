"""The outer form of a training step: its names, its inputs and outputs, and the finished model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import onnx
import onnx_ir as ir
import onnx_ir.passes.common as passes

from ..contract import DOMAIN, OPSET_VERSION
from ..errors import MaxPoolGradError, quoted
from ..gradient_functions import add_gradient_functions
from ..opsets import FUNCTION_DOMAIN, FUNCTION_VERSION, IR_VERSION
from ..unique_names import UniqueNames
from .forward import Forward
from .tape import Tape


def claim_names(forward: Forward, claimed: Set[str]) -> UniqueNames:
    """Free the names that the step gives to its own inputs and outputs; returns those that are taken.

    An inner value of the forward model that has one is renamed; an input or parameter is refused.
    """
    for value in (*forward.graph.inputs, *forward.parameters):
        if value.name in claimed:
            raise MaxPoolGradError(
                f"{quoted(value.name)} is an input or parameter of the forward model, and the training step "
                "needs the name for itself; rename it in the forward model"
            )
    values = list(_values(forward.graph))
    named = (*values, *forward.graph)
    names = UniqueNames({*claimed, *(str(item.name) for item in named)})
    for value in values:
        if value.name in claimed:
            value.name = names.claim(str(value.name))
    return names


def assemble(
    forward: Forward, tape: Tape, inputs: Sequence[ir.Value], outputs: Sequence[ir.Value]
) -> onnx.ModelProto:
    """The forward graph and the tape as one model with these further inputs (parameters among them)."""
    graph = forward.graph
    graph.extend(tape.nodes)
    for constant in tape.constants:
        graph.register_initializer(constant)
    for value in inputs:
        if graph.initializers.pop(str(value.name), None) is not None:
            value.const_value = None
    graph.inputs.extend(inputs)
    graph.outputs.clear()
    graph.outputs.extend(outputs)
    graph.name = f"{graph.name or 'model'}_training_step"
    graph.opset_imports[DOMAIN] = OPSET_VERSION
    graph.opset_imports[FUNCTION_DOMAIN] = FUNCTION_VERSION
    model = forward.model
    passes.RemoveUnusedNodesPass()(model)
    passes.RemoveUnusedOpsetsPass()(model)
    unused = [value for value in graph.inputs if not value.uses() and value not in inputs]
    for value in unused:
        graph.inputs.remove(value)
    proto = ir.to_proto(model)
    proto.ir_version = IR_VERSION
    proto.producer_name, proto.producer_version = "maxpoolgrad", ""
    proto.functions.extend(tape.functions.bodies)
    add_gradient_functions(proto)
    return proto


def _values(graph: ir.Graph) -> Iterator[ir.Value]:
    yield from graph.inputs
    yield from graph.initializers.values()
    for node in graph:
        yield from node.outputs
