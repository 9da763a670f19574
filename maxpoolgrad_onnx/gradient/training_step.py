"""From a forward model to one training step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import onnx
import onnx_ir as ir

from ..errors import MaxPoolGradError
from ..model_files import ModelOrPath, as_model
from . import interface
from .assembly import assemble, claim_names
from .backward import propagate, values_needing_gradient
from .dropout import in_training, write_masks
from .forward import PARAMETERS, SOURCES, Forward, no_inputs, no_parameters, prepare
from .function_table import Functions
from .functions import fold_into_function
from .losses import Loss, loss_of
from .optimizers import Optimizer, optimizer_of
from .options import choice, positive
from .scaling import DYNAMIC, LossScale, Scaling, check_loss_scale
from .soundness import check_step
from .statistics import give_updated
from .tape import Dim, Tape, dtype_of, shape_of
from .update import Trained, UpdateOptions, write_updates

OUTPUTS = ("update", "grads")


def add_training_step(
    model: ModelOrPath,
    *,
    loss: str | Loss = "softmax_cross_entropy",
    optimizer: str | Optimizer = "sgd",
    output: str | None = None,
    frozen: Sequence[str] = (),
    outputs: str | None = None,
    wrt: str = PARAMETERS,
    clip_norm: float | None = None,
    loss_scale: LossScale | None = None,
    master_weights: bool = False,
    unfold: bool = False,
) -> onnx.ModelProto:
    """Make the model of one training step from a forward model.

    The step takes the forward model's inputs, what the loss reads (`labels`, int64 [N], or `targets`), the
    parameters under their own names, what the optimizer keeps for each (`<parameter>.momentum`;
    `<parameter>.exp_avg` and `<parameter>.exp_avg_sq`: the parameter's shape, float32 for float16), with
    `master_weights` `<parameter>.master`, `step` (an int64 scalar, where the optimizer counts),
    `learning_rate` (a scalar, float32; double where all parameters are), the running statistics of
    BatchNormalization in training form, and `dropout_seed` (an int32 scalar, where the model has Dropout in
    training form). It gives `loss` (a scalar, the mean over the batch) and `<name>.updated` for each
    parameter, state and statistic.

    With outputs="grads" it takes no state and no learning rate, and gives `loss` and `<parameter>.grad`: to
    reduce gradients elsewhere; `make_update_step` makes the step that applies them. With wrt="input" the
    parameters stay constants, and it gives `<input>.grad` for each floating-point input.

    It consists of the forward nodes, standard operators at the forward model's opset (13 to 18; another one
    is converted to 18), npu::MaxPoolV3Grad, and with their function bodies the gradients that GE has and ONNX
    lacks (`gradient_functions.GRADIENTS`, of domain npu); its IR version is 9. Where shapes are static, all
    that depends on them is constant. The loss with its gradient is one node, and so is the update of all
    parameters: functions of the model, in domain `maxpoolgrad`.

    Args:
        model: the forward model or its path.
        loss: one of LOSSES by name, or with options: SoftmaxCrossEntropy(label_smoothing=0.1).
        optimizer: one of OPTIMIZERS by name, or with options: AdamW(weight_decay=0.05).
        output: the name of the output that the loss reads, where the model has several.
        frozen: patterns (as in a shell) of initializers that stay constants. Parameters are the floating-
            point initializers of one dimension or more that a gradient reaches.
        outputs: "update", or "grads" to apply or reduce gradients elsewhere; with wrt="input", "grads" alone.
        wrt: what gradients are taken by: "parameters" or "input".
        clip_norm: the largest global norm of the gradients, as torch.nn.utils.clip_grad_norm_; the step gives
            `gradient_norm`, the norm before.
        loss_scale: a number, or "dynamic", that the loss's gradient is multiplied by and the parameters'
            divided, so that float16 holds what lies between. A step in which a gradient is no finite number
            changes nothing and says so in `update_skipped`. "dynamic" is a state, `loss_scale`, that
            grows and shrinks as torch.amp.GradScaler's. Gradients of outputs="grads" are scaled.
        master_weights: keep each float16 parameter in float32 as well, as the state `<parameter>.master`:
            that is updated, and `<parameter>.updated` is it, rounded.
        unfold: write loss and update in standard operators instead, the same ones: for a parser that knows
            no functions of a model, such as the one of CANN's own atc.

    Returns:
        The step; the forward model is not changed. `maxpoolgrad_onnx.gradient.initial_state` gives its first
        parameters and states.

    Raises:
        MaxPoolGradError: the model cannot be read or differentiated; the sentence names the node and why.
    """
    loss, update = loss_of(loss), UpdateOptions(optimizer_of(optimizer), clip_norm, master_weights)
    outputs = _outputs(outputs, wrt)
    check_update(clip_norm, loss_scale)
    _check_grads(outputs, clip_norm, master_weights)
    forward = prepare(as_model(model), output=output, frozen=frozen, wrt=wrt)
    target = loss.target(forward.logits, _dims(forward))
    names = claim_names(forward, _claims(forward, target, update, outputs, loss_scale))
    functions = Functions(unfold)
    carried = write_masks(forward.graph, names, functions)
    forward = replace(forward, logits=forward.graph.outputs[0])
    nodes = list(forward.graph)
    carried |= give_updated(nodes, forward.statistics)
    needed = values_needing_gradient(nodes, forward.sources)
    variable = {*forward.parameters, *forward.statistics}
    tape = Tape(names, needed, forward.graph.opset_imports[""], variable, functions)
    loss_value, seed = _loss(tape, loss, forward.logits, target)
    loss_value.name = interface.LOSS
    scaling = None if loss_scale is None else Scaling.of(tape, loss_scale)
    gradients = propagate(tape, nodes, {forward.logits: _seed(tape, forward, seed, scaling)})
    trained = [(value, gradients[value]) for value in forward.sources if value in gradients]
    if not trained:
        raise (no_parameters if wrt == PARAMETERS else no_inputs)(forward.logits)
    if outputs == "grads":
        inputs, results = _give_gradients(tape, trained, scaling)
    else:
        inputs, results = _update(tape, trained, update, scaling)
    given = [] if target is None else [target]
    step = assemble(forward, tape, [*given, *inputs, *carried], [loss_value, *results, *carried.values()])
    check_step(step)
    return step


def check_update(clip_norm: float | None, loss_scale: LossScale | None) -> None:
    """Raise MaxPoolGradError (E10001) for options of an update that are none."""
    if clip_norm is not None:
        positive("clip_norm", clip_norm)
    check_loss_scale(loss_scale)


def _outputs(outputs: str | None, wrt: str) -> str:
    """What the step gives, by default what fits `wrt`."""
    choice("wrt", wrt, SOURCES)
    if outputs is None:
        return "update" if wrt == PARAMETERS else "grads"
    choice("outputs", outputs, OUTPUTS)
    if wrt != PARAMETERS and outputs != "grads":
        raise MaxPoolGradError(
            f"outputs is {outputs!r} and wrt {wrt!r}; only parameters are updated: leave outputs out",
            code="E10001",
        )
    return outputs


def _check_grads(outputs: str, clip_norm: float | None, master_weights: bool) -> None:
    if outputs == "grads" and clip_norm is not None:
        raise MaxPoolGradError(
            f"clip_norm is {clip_norm!r} and outputs 'grads'; gradients are clipped when reduced: give it to "
            "the update step",
            code="E10001",
        )
    if outputs == "grads" and master_weights:
        raise MaxPoolGradError(
            "master_weights is given and outputs 'grads', which updates nothing; give it to the update step",
            code="E10001",
        )


def _claims(
    forward: Forward,
    target: ir.Value | None,
    update: UpdateOptions,
    outputs: str,
    loss_scale: LossScale | None,
) -> set[str]:
    """The names that the step needs for itself."""
    claims = {interface.LOSS, *(interface.updated(str(value.name)) for value in forward.statistics)}
    if target is not None:
        claims.add(str(target.name))
    if in_training(forward.graph):
        claims |= {interface.DROPOUT_SEED, interface.updated(interface.DROPOUT_SEED)}
    if outputs == "grads":
        claims |= {interface.gradient(str(value.name)) for value in forward.sources}
        return claims | ({interface.LOSS_SCALE} if loss_scale == DYNAMIC else set())
    scalars = update.scalar_states(loss_scale == DYNAMIC)
    claims |= {interface.LEARNING_RATE, interface.SKIPPED, interface.GRADIENT_NORM}
    return claims | interface.names_of_states([str(value.name) for value in forward.sources], scalars)


def _dims(forward: Forward) -> tuple[Dim, ...]:
    """The output's dimensions; where inference lost the first one's name, that of the first input's."""
    if forward.logits.shape is None:
        return ()
    dims = shape_of(forward.logits)
    if not dims or isinstance(dims[0], int):
        return dims
    firsts = [next(iter(value.shape)) for value in forward.graph.inputs if value.shape]
    for candidate in (dims[0], *firsts):
        # Shape inference calls dimensions that it does not know unk__0 and so on.
        if isinstance(candidate, int) or (candidate.value and not candidate.value.startswith("unk__")):
            return (candidate, *dims[1:])
    return (ir.SymbolicDim("batch"), *dims[1:])


def _loss(tape: Tape, loss: Loss, output: ir.Value, target: ir.Value | None) -> tuple[ir.Value, ir.Value]:
    """The loss and the output's gradient: one node."""
    tape.scope = interface.LOSS
    written = loss.write(tape, output, target)
    loss_value, seed = fold_into_function(tape, type(loss).__name__, 0, written, inputs=[output])
    return loss_value, seed


def _update(
    tape: Tape, trained: Trained, options: UpdateOptions, scaling: Scaling | None
) -> tuple[list[ir.Value], list[ir.Value]]:
    """Further inputs and outputs of the step; the update of all parameters is one node.

    It takes the learning rate, the parameters, their gradients, and what the optimizer keeps.
    """
    first = len(tape.nodes)
    inputs, written = write_updates(tape, trained, options, scaling)
    tape.scope = "update"
    gradients = [gradient for _, gradient in trained]
    order = [inputs[-1], *inputs[: len(trained)], *gradients, *inputs[len(trained) : -1]]
    name = type(options.optimizer).__name__
    return inputs, fold_into_function(tape, name, first, written, inputs=order)


def _seed(tape: Tape, forward: Forward, seed: ir.Value, scaling: Scaling | None) -> ir.Value:
    """The output's gradient, scaled, in the output's own type."""
    if scaling is not None:
        scale, dtype = scaling.value, dtype_of(seed)
        if dtype_of(scale) != dtype:
            scale = tape.op("Cast", [scale], like=scale, dtype=dtype, attributes={"to": dtype})
        seed = tape.op("Mul", [seed, scale], like=seed)
    stored = dtype_of(forward.logits)
    if dtype_of(seed) == stored:
        return seed
    return tape.op("Cast", [seed], like=seed, dtype=stored, attributes={"to": stored})


def _give_gradients(
    tape: Tape, trained: Trained, scaling: Scaling | None
) -> tuple[list[ir.Value], list[ir.Value]]:
    results: list[ir.Value] = []
    for source, gradient in trained:
        name = interface.gradient(str(source.name))
        result = gradient
        # One value may be the gradient of two parameters, or a constant.
        if gradient in results or gradient.producer() is None:
            tape.scope = name
            result = tape.op("Identity", [gradient], like=gradient)
        result.name = name
        results.append(result)
    parameters = [source for source, _ in trained if not source.is_graph_input()]
    return [*parameters, *(scaling.inputs if scaling is not None else ())], results
