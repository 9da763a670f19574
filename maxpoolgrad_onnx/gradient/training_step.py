"""From a forward model to one training step."""

from __future__ import annotations

import numbers
from collections.abc import Sequence

import onnx
import onnx_ir as ir

from ..errors import MaxPoolGradError, quoted
from ..model_files import ModelOrPath, as_model
from . import interface
from .assembly import assemble, claim_names
from .backward import propagate, values_needing_gradient
from .forward import Forward, no_parameters, prepare
from .losses import LOSSES
from .optimizers import OPTIMIZERS, Optimizer
from .refusal import subject_of
from .soundness import check_step
from .tape import Tape, dtype_of

OUTPUTS = ("update", "grads")
_LARGEST_MOMENTUM = 65504.0  # what float16 holds

Trained = Sequence[tuple[ir.Value, ir.Value]]  # parameters, each with its gradient


def add_training_step(
    model: ModelOrPath,
    *,
    loss: str = "softmax_cross_entropy",
    optimizer: str = "sgd",
    momentum: float = 0.9,
    output: str | None = None,
    frozen: Sequence[str] = (),
    outputs: str = "update",
) -> onnx.ModelProto:
    """Make the model of one training step from a forward model.

    The step takes the forward model's inputs, `labels` (int64 [N]), the parameters under their own names,
    `<parameter>.momentum` for each (the parameter's shape and dtype; not where momentum is 0) and
    `learning_rate` (a scalar). It gives `loss` (a scalar, the mean over the batch), `<parameter>.updated` for
    each and `<parameter>.momentum.updated` for each. With outputs="grads" it takes neither momenta nor a
    learning rate and gives `loss` and `<parameter>.grad`.

    It consists of the forward nodes, standard operators at the forward model's opset (13 to 18; another one
    is converted to 18), npu::MaxPoolV3Grad, and npu::Conv2DBackpropInput and Conv2DBackpropFilter with their
    function bodies; its IR version is 9. Where shapes are static, all that depends on them is constant.

    Args:
        model: the forward model or its path; its output is the logits [N, classes].
        loss: "softmax_cross_entropy".
        optimizer: "sgd", as torch.optim.SGD: v' = momentum v + g, p' = p - learning_rate v'.
        momentum: 0 or more; where the momenta fed are zeros, `<parameter>.momentum.updated` is the gradient.
        output: the name of the logits, where the model has several outputs.
        frozen: patterns (as in a shell) of initializers that stay constants. Parameters are the floating-
            point initializers of one dimension or more that a gradient reaches.
        outputs: "update", or "grads" to apply or reduce gradients elsewhere.

    Returns:
        The step; the forward model is not changed. `maxpoolgrad_onnx.gradient.initial_state` gives its first
        parameters and momenta.

    Raises:
        MaxPoolGradError: the model cannot be read or differentiated; the sentence names the node and why.
    """
    _check_options(loss, optimizer, momentum, outputs)
    forward = prepare(as_model(model), output=output, frozen=frozen)
    labels = _labels(forward)
    names = claim_names(forward)
    nodes = list(forward.graph)
    tape = Tape(names, values_needing_gradient(nodes, forward.parameters))
    tape.scope = interface.LOSS
    loss_value, seed = LOSSES[loss](tape, forward.logits, labels)
    loss_value.name = interface.LOSS
    gradients = propagate(tape, nodes, {forward.logits: seed})
    trained = [(value, gradients[value]) for value in forward.parameters if value in gradients]
    if not trained:
        raise no_parameters(forward.logits)
    if outputs == "grads":
        inputs, results = _give_gradients(tape, trained)
    else:
        inputs, results = _give_updates(tape, trained, OPTIMIZERS[optimizer], momentum)
    step = assemble(forward, tape, [labels, *inputs], [loss_value, *results])
    check_step(step)
    return step


def _check_options(loss: str, optimizer: str, momentum: float, outputs: str) -> None:
    for name, value, allowed in (
        ("loss", loss, LOSSES),
        ("optimizer", optimizer, OPTIMIZERS),
        ("outputs", outputs, OUTPUTS),
    ):
        if value not in allowed:
            choices = ", ".join(map(quoted, allowed))
            raise MaxPoolGradError(f"{name} is {quoted(value)}; allowed are {choices}", code="E10001")
    if not _is_momentum(momentum):
        raise MaxPoolGradError(f"momentum is {momentum!r}; it must be a number, 0 or more", code="E10001")


def _is_momentum(value: object) -> bool:
    return isinstance(value, numbers.Real) and 0 <= float(value) <= _LARGEST_MOMENTUM


def _labels(forward: Forward) -> ir.Value:
    """The input of class numbers, one for each row of logits; refuses logits that cannot be any."""
    logits = forward.logits
    found = f"output {quoted(logits.name)} is {logits.dtype} {logits.shape}"
    wanted = (
        "the loss needs logits: float16, float32 or double [N, classes], the number of classes known, "
        "and neither of them 0"
    )
    producer = logits.producer()
    if producer is not None and producer.op_type in ("Softmax", "LogSoftmax"):
        before = producer.inputs[0]
        raise MaxPoolGradError(
            f"output {quoted(logits.name)} comes from {subject_of(producer)}, and softmax cross-entropy has "
            f"a softmax of its own; end the model at {quoted(before and before.name)}"
        )
    float_types = (ir.DataType.FLOAT16, ir.DataType.FLOAT, ir.DataType.DOUBLE)
    if logits.dtype not in float_types or logits.shape is None:
        raise MaxPoolGradError(f"{found}; {wanted}")
    dims = tuple(logits.shape)
    if len(dims) != 2 or not isinstance(dims[1], int) or 0 in dims:
        raise MaxPoolGradError(f"{found}; {wanted}")
    return ir.Value(
        name=interface.LABELS,
        type=ir.TensorType(ir.DataType.INT64),
        shape=ir.Shape([_batch(forward, dims[0])]),
    )


def _batch(forward: Forward, dim: int | ir.SymbolicDim) -> int | str:
    """The logits' first dimension; where inference lost its name, that of the first input's."""
    candidates = [
        dim,
        *(next(iter(v.shape)) for v in forward.graph.inputs if v.shape is not None and len(v.shape)),
    ]
    for candidate in candidates:
        if isinstance(candidate, int):
            return candidate
        # Shape inference calls dimensions that it does not know unk__0 and so on.
        if candidate.value is not None and not candidate.value.startswith("unk__"):
            return candidate.value
    return "batch"


def _give_gradients(tape: Tape, trained: Trained) -> tuple[list[ir.Value], list[ir.Value]]:
    results: list[ir.Value] = []
    for parameter, gradient in trained:
        name = interface.gradient(str(parameter.name))
        result = gradient
        if gradient in results:  # one value may be the gradient of two parameters
            tape.scope = name
            result = tape.op("Identity", [gradient], like=gradient)
        result.name = name
        results.append(result)
    return [parameter for parameter, _ in trained], results


def _give_updates(
    tape: Tape, trained: Trained, optimizer: Optimizer, momentum: float
) -> tuple[list[ir.Value], list[ir.Value]]:
    rate = ir.Value(
        name=interface.LEARNING_RATE, type=ir.TensorType(dtype_of(trained[0][0])), shape=ir.Shape([])
    )
    updates = []
    for parameter, gradient in trained:
        tape.scope = f"{parameter.name}.update"
        updates.append(optimizer(tape, parameter, gradient, rate, momentum))
    parameters = [parameter for parameter, _ in trained]
    before = [value for update in updates for value in update.state_before]
    after = [value for update in updates for value in update.state_after]
    return [*parameters, *before, rate], [*(update.parameter for update in updates), *after]
