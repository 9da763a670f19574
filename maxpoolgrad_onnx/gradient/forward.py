"""The forward model made ready: one flat graph with shapes, its logits and its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import onnx
import onnx.inliner
import onnx_ir as ir
import onnx_ir.passes.common as passes

from ..errors import MaxPoolGradError, quoted
from ..unique_names import UniqueNames
from .folding import fold_constants
from .interface import LOSS, gradient, updated
from .opset import with_step_opset
from .portable import in_portable_form
from .soundness import check_defined, not_sound
from .statistics import running_statistics, statistics_of

PARAMETERS, INPUT = SOURCES = ("parameters", "input")
"""What gradients can be taken by."""

_MOST_NAMES = 8  # in a sentence


@dataclass(frozen=True)
class Forward:
    """A forward model and the output that the loss reads.

    `parameters` are the initializers to train, `sources` what gradients are taken by: these, or the floating-
    point inputs. `statistics` are the running statistics that BatchNormalization in training form updates.
    """

    model: ir.Model
    logits: ir.Value
    parameters: tuple[ir.Value, ...]
    sources: tuple[ir.Value, ...]
    statistics: tuple[ir.Value, ...] = ()

    @property
    def graph(self) -> ir.Graph:
        """The model's main graph."""
        return self.model.graph


def prepare(
    proto: onnx.ModelProto, *, output: str | None, frozen: Sequence[str], wrt: str = PARAMETERS
) -> Forward:
    """Inline functions, settle the opset, infer shapes, fold constants and keep only what `output` needs.

    Parameters are the floating-point initializers of one dimension or more that the output depends on and
    that match no pattern in `frozen`; Constant nodes, scalars and the statistics of BatchNormalization are
    constants, the latter only outside its training form. With wrt "input" there are no parameters.
    Raises MaxPoolGradError for a model that is not sound, an unknown output, and a model without parameters.
    """
    patterns = [frozen] if isinstance(frozen, str) else frozen
    model = _load(proto)
    graph = model.graph
    logits = _select_output(graph, output)
    graph.outputs.clear()
    graph.outputs.append(logits)
    passes.RemoveInitializersFromInputsPass()(model)
    _check_patterns(graph, patterns)
    trainable = {
        value for value in graph.initializers.values() if wrt == PARAMETERS and _is_trainable(value, patterns)
    }
    statistics = set(statistics_of(graph)) & trainable
    candidates = trainable - statistics
    passes.LiftConstantsToInitializersPass(lift_all_constants=True, size_limit=0)(model)
    _sort(model)
    passes.IdentityEliminationPass()(model)  # which fails on a circle
    passes.ClearMetadataAndDocStringPass()(model)
    fold_constants(graph, candidates | statistics)
    passes.RemoveUnusedNodesPass()(model)
    names = UniqueNames()  # ONNX Runtime takes no two nodes of one name
    for node in graph:
        node.name = names.claim(node.name or f"{node.op_type}_{node.outputs[0].name}")
    parameters = tuple(value for value in graph.initializers.values() if value in candidates)
    if wrt == INPUT:
        floats = [value for value in graph.inputs if value.dtype and value.dtype.is_floating_point()]
        return Forward(model, graph.outputs[0], (), tuple(floats))
    if not parameters:
        raise no_parameters(logits)
    running = tuple(value for _, _, value in running_statistics(graph) if value in statistics)
    return Forward(model, graph.outputs[0], parameters, parameters, tuple(dict.fromkeys(running)))


def no_inputs(logits: ir.Value) -> MaxPoolGradError:
    """The error for a model without an input that a gradient reaches."""
    return MaxPoolGradError(
        f"output {quoted(logits.name)} depends on no floating-point input that a gradient reaches; keep the "
        "image as an input of the model"
    )


def no_parameters(logits: ir.Value) -> MaxPoolGradError:
    """The error for a model in which there is nothing to train."""
    return MaxPoolGradError(
        f"output {quoted(logits.name)} depends on no initializer that could be trained; keep the weights as "
        "floating-point initializers, and check the patterns of frozen ones"
    )


def _load(proto: onnx.ModelProto) -> ir.Model:
    """The model without function calls, at the step's opset, with every shape that can be inferred."""
    if not proto.graph.node:
        raise MaxPoolGradError("the model has no nodes; give a forward model", code="E16001")
    try:
        flat = onnx.inliner.inline_local_functions(proto) if proto.functions else proto
        check_defined(flat.graph)
        model = ir.from_proto(in_portable_form(with_step_opset(flat)))
    except MaxPoolGradError:
        raise
    except Exception as error:  # onnx and onnx_ir raise many types for models that are not sound
        raise not_sound(str(error)) from error
    return model


def _sort(model: ir.Model) -> None:
    """ONNX wants nodes in order, but not every runtime does."""
    try:
        passes.TopologicalSortPass()(model)
    except ValueError as error:
        raise not_sound(str(error)) from error


def _check_patterns(graph: ir.Graph, frozen: Sequence[str]) -> None:
    """Refuse a pattern that matches nothing: a slip in it would train what was to stay."""
    names = list(graph.initializers)
    for pattern in frozen:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise MaxPoolGradError(
                f"no initializer is named like the pattern of frozen ones {quoted(pattern)}; there are "
                f"{_listed(names)}",
                code="E10001",
            )


def _listed(names: Sequence[str | None]) -> str:
    more = ", ..." if len(names) > _MOST_NAMES else ""
    return ", ".join(map(quoted, names[:_MOST_NAMES])) + more


def _is_training_step(graph: ir.Graph) -> bool:
    names = {value.name for value in graph.outputs}
    results = {form(str(value.name)) for form in (updated, gradient) for value in graph.inputs}
    return LOSS in names and not names.isdisjoint(results)


def _select_output(graph: ir.Graph, name: str | None) -> ir.Value:
    names = [value.name for value in graph.outputs]
    if name is None and len(names) == 1:
        return graph.outputs[0]
    if name in names:
        return graph.outputs[names.index(name)]
    if _is_training_step(graph):
        raise MaxPoolGradError("the model is a training step already; give the forward model")
    known = _listed(names)
    if name is None:
        raise MaxPoolGradError(
            f"the model has {len(names)} outputs ({known}); name the one with the logits "
            "(--logits; in Python, output)"
        )
    raise MaxPoolGradError(f"the model has no output {quoted(name)}; its outputs are {known}")


def _is_trainable(value: ir.Value, frozen: Sequence[str]) -> bool:
    return (
        value.dtype is not None
        and value.dtype.is_floating_point()
        and value.shape is not None
        and len(value.shape) > 0
        and not any(fnmatchcase(value.name or "", pattern) for pattern in frozen)
    )
