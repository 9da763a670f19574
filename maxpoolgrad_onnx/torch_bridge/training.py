"""From a PyTorch module to a training step: the export of its forward pass, then gradients in ONNX."""

from __future__ import annotations

import glob
import inspect
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
import torch

from ..arrays import Array
from ..errors import MaxPoolGradError, one_line
from ..gradient import add_training_step, initial_state
from ..gradient.losses import Loss
from ..opsets import NEWEST_OPSET
from .installed import require
from .losses import loss_of
from .training_forms import training_forms
from .translation import translation_table


@dataclass(frozen=True)
class ExportedStep:
    """A module's forward pass and one training step of it, both ONNX models."""

    forward: onnx.ModelProto
    step: onnx.ModelProto

    def initial_state(self) -> dict[str, Array]:
        """What the step starts from, by input name: the module's parameters, the optimizer's state."""
        return initial_state(self.forward, self.step)


def export_training_step(
    module: torch.nn.Module,
    loss: str | Loss | torch.nn.Module,
    example_inputs: Sequence[torch.Tensor],
    *,
    dynamo: bool = True,
    opset_version: int = NEWEST_OPSET,
    dynamic_batch: bool = False,
    frozen: Sequence[str] = (),
    **options: Any,
) -> ExportedStep:
    """Export a module and make a training step of it.

    The step trains the parameters that have requires_grad, under the names that the module has for them, and
    updates the running statistics of batch normalisation; other buffers and parameters stay as they are.

    Args:
        module: in the mode in which it is to be trained (`module.train()`, as a rule).
        loss: of the module's output: what add_training_step takes, or CrossEntropyLoss, MSELoss or
            BCEWithLogitsLoss of torch.nn.
        example_inputs, dynamo, opset_version, dynamic_batch: as `export_forward` takes them.
        frozen: patterns (as in a shell) of further parameters that stay as they are.
        options: what add_training_step takes besides: optimizer, momentum, outputs and so on.

    Raises:
        MaxPoolGradError: the exporter fails, no rule covers an operator of the module, the loss is unknown.
    """
    forward = export_forward(
        module, example_inputs, dynamo=dynamo, opset_version=opset_version, dynamic_batch=dynamic_batch
    )
    parameters = module.named_parameters(remove_duplicate=False)
    trained = {name for name, parameter in parameters if parameter.requires_grad}
    others = {tensor.name for tensor in forward.graph.initializer} - trained - _statistics(forward)
    own = [frozen] if isinstance(frozen, str) else list(frozen)
    constant = [*own, *(glob.escape(name) for name in sorted(others))]
    step = add_training_step(forward, frozen=constant, loss=loss_of(loss), **options)
    return ExportedStep(forward, step)


def export_forward(
    module: torch.nn.Module,
    example_inputs: Sequence[torch.Tensor],
    *,
    dynamo: bool = True,
    opset_version: int = NEWEST_OPSET,
    dynamic_batch: bool = False,
) -> onnx.ModelProto:
    """The module's forward pass as torch.onnx.export writes it, each parameter an initializer of its name.

    Nothing is optimized: the exporters' own optimizers fold batch normalisation into convolutions and make
    one initializer of equal ones, after which the parameters are others than the module's.

    Args:
        module: on the CPU; it is exported in the mode it is in, training or evaluation.
        example_inputs: the positional arguments of its `forward`, all tensors.
        dynamo: torch.onnx's exporter: by torch.export, or the older one by TorchScript.
        opset_version: at most 18, the newest that CANN's parser knows.
        dynamic_batch: leave the first dimension of every input open.

    Raises:
        MaxPoolGradError: torch.onnx.export fails; the sentence has its reason.
    """
    if not 13 <= opset_version <= NEWEST_OPSET:
        raise MaxPoolGradError(
            f"opset_version is {opset_version}; a training step needs 13 to {NEWEST_OPSET}", code="E10001"
        )
    inputs = _checked(module, example_inputs)
    export = _by_dynamo if dynamo else _by_torch_script
    with warnings.catch_warnings():
        # That a module is in training mode, or that one exporter is older, is what was asked for.
        warnings.simplefilter("ignore")
        try:
            return export(module, inputs, opset_version, dynamic_batch)
        except MaxPoolGradError:
            raise
        except Exception as error:  # the exporters' errors have no common base
            other = f"try dynamo={not dynamo}, or change what the reason names"
            raise MaxPoolGradError(
                f"torch.onnx.export(dynamo={dynamo}) cannot export {type(module).__name__}: "
                f"{_reason(error)}; {other}"
            ) from error


def _checked(module: object, example_inputs: object) -> tuple[torch.Tensor, ...]:
    """The examples as a tuple. Raises MaxPoolGradError (E10001) for what is no module, or no tensors."""
    if not isinstance(module, torch.nn.Module):
        raise MaxPoolGradError(
            f"module is a {type(module).__name__}; it must be a torch.nn.Module", code="E10001"
        )
    inputs = example_inputs if isinstance(example_inputs, Sequence) else ()
    if not inputs or not all(isinstance(value, torch.Tensor) for value in inputs):
        raise MaxPoolGradError(
            f"example_inputs is {_described(example_inputs)}; it must be a tuple of tensors, one for each "
            f"argument of {type(module).__name__}.forward",
            code="E10001",
        )
    return tuple(inputs)


def _described(value: object) -> str:
    """A value's type, and those of its elements."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return f"a {type(value).__name__}"
    return (
        f"a {type(value).__name__} of {', '.join(type(element).__name__ for element in value) or 'nothing'}"
    )


def _statistics(forward: onnx.ModelProto) -> set[str]:
    """The running statistics that batch normalisation in training mode updates."""
    nodes = [node for node in forward.graph.node if node.op_type == "BatchNormalization"]
    return {name for node in nodes for name in node.input[3:]}


def _by_dynamo(
    module: torch.nn.Module, inputs: tuple[torch.Tensor, ...], opset: int, dynamic: bool
) -> onnx.ModelProto:
    require("onnxscript")
    batch = torch.export.Dim("batch") if dynamic else None
    program = torch.onnx.export(
        module,
        inputs,
        dynamo=True,
        opset_version=opset,
        optimize=False,
        verbose=False,
        custom_translation_table={**translation_table(), **training_forms()},
        dynamic_shapes=tuple({0: batch} for _ in inputs) if dynamic else None,
    )
    assert program is not None
    return program.model_proto


def _by_torch_script(
    module: torch.nn.Module, inputs: tuple[torch.Tensor, ...], opset: int, dynamic: bool
) -> onnx.ModelProto:
    names = list(inspect.signature(module.forward).parameters)[: len(inputs)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "forward.onnx")
        torch.onnx.export(
            module,
            inputs,
            path,
            dynamo=False,
            opset_version=opset,
            training=torch.onnx.TrainingMode.PRESERVE,
            do_constant_folding=False,
            keep_initializers_as_inputs=True,  # without it, equal initializers become one
            input_names=names,
            dynamic_axes={name: {0: "batch"} for name in names} if dynamic else None,
        )
        model = onnx.load(path)
    initializers = {tensor.name for tensor in model.graph.initializer}
    own = [value for value in model.graph.input if value.name not in initializers]
    del model.graph.input[:]
    model.graph.input.extend(own)
    return model


def _reason(error: Exception) -> str:
    """What the first in the chain of causes says: the exporters wrap it in pages of advice."""
    while error.__cause__ is not None and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return one_line(str(error).strip().partition("\n")[0]) or type(error).__name__
