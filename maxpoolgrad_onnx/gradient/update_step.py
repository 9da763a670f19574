"""The step that applies gradients which something else has summed up or averaged."""

from __future__ import annotations

import onnx
import onnx_ir as ir

from ..errors import MaxPoolGradError, quoted
from ..model_files import ModelOrPath, as_model
from ..opsets import IR_VERSION
from ..unique_names import UniqueNames
from . import interface
from .optimizers import Optimizer, optimizer_of
from .scaling import DYNAMIC, LossScale, Scaling
from .soundness import check_step
from .tape import Tape
from .training_step import check_update
from .update import Trained, UpdateOptions, write_updates


def make_update_step(
    gradients: ModelOrPath,
    *,
    optimizer: str | Optimizer = "sgd",
    clip_norm: float | None = None,
    loss_scale: LossScale | None = None,
    master_weights: bool = False,
) -> onnx.ModelProto:
    """Make the model that updates parameters from their gradients.

    With a step of outputs="grads" on every device and a mean of its gradients over all of them (MPI, HCCL),
    it is data-parallel training: the means are fed to it, and what it gives is fed back to both.

    It takes the parameters under their own names, `<parameter>.grad`, the optimizer's states and
    `learning_rate`, and gives `<name>.updated` for each parameter and state: all as add_training_step's.

    Args:
        gradients: the step that add_training_step made with outputs="grads", or its path.
        optimizer, clip_norm, master_weights: as add_training_step takes them.
        loss_scale: what the gradients are scaled by: what that step was made with. Where it is "dynamic", the
            state `loss_scale` is that step's input, too.

    Raises:
        MaxPoolGradError: the model is no such step, or an option is none.
    """
    options = UpdateOptions(optimizer_of(optimizer), clip_norm, master_weights)
    check_update(clip_norm, loss_scale)
    proto = as_model(gradients)
    trained = _trained(proto)
    _check_scale(proto, loss_scale)
    opset = next(entry.version for entry in proto.opset_import if not entry.domain)
    tape = Tape(UniqueNames(str(value.name) for pair in trained for value in pair), set(), opset)
    tape.scope = "update"
    scaling = None if loss_scale is None else Scaling.of(tape, loss_scale)
    inputs, outputs = write_updates(tape, trained, options, scaling)
    parameters = len(trained)
    inputs[parameters:parameters] = [gradient for _, gradient in trained]
    graph = ir.Graph(
        inputs,
        outputs,
        nodes=tape.nodes,
        initializers=tape.constants,
        opset_imports={"": opset},
        name=f"{proto.graph.name}_update",
    )
    step = ir.to_proto(ir.Model(graph, ir_version=IR_VERSION, producer_name="maxpoolgrad"))
    check_step(step)
    return step


def _trained(proto: onnx.ModelProto) -> Trained:
    """The step's parameters and gradients, as values of a new graph."""
    given = {value.name: value for value in proto.graph.input}
    results = [value.name for value in proto.graph.output]
    names = [name for name in given if interface.gradient(name) in results]
    if not names or interface.LOSS not in results:
        raise MaxPoolGradError(
            f"the model {quoted(proto.graph.name)} gives no gradients of parameters; give a training "
            "step that was made with outputs 'grads'"
        )
    return [
        (_value(given[name].type, name), _value(given[name].type, interface.gradient(name))) for name in names
    ]


def _value(kind: onnx.TypeProto, name: str) -> ir.Value:
    tensor = kind.tensor_type
    dims = [dim.dim_value for dim in tensor.shape.dim]
    return ir.Value(name=name, type=ir.TensorType(ir.DataType(tensor.elem_type)), shape=ir.Shape(dims))


def _check_scale(proto: onnx.ModelProto, loss_scale: LossScale | None) -> None:
    dynamic = interface.LOSS_SCALE in {value.name for value in proto.graph.input}
    if dynamic != (loss_scale == DYNAMIC):
        has = "has" if dynamic else "has not"
        raise MaxPoolGradError(
            f"loss_scale is {loss_scale!r}, but the step that gives the gradients {has} a dynamic one; give "
            "both the same",
            code="E10001",
        )
