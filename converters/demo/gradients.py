"""The gradients of step.om against the NumPy oracle, NumPy in float64 and finite differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from onnx import ModelProto, NodeProto, ValueInfoProto

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import PoolAttributes, is_max_pool_v3_grad
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.gradient.interface import LABELS, LEARNING_RATE, LOSS, momentum, updated

from ..ge_to_onnx import ge_to_onnx
from ..loading import load
from ..runtime import InferSession
from . import numpy_network
from .data import Digits
from .network import INPUT, SHAPES, Parameters
from .training import LEARNING_RATE as RATE

# Some steps away from the first parameters, where all biases are zero and so lie on the kink of Relu.
WARM_UP_STEPS = 10
TOLERANCE = 1e-4
_DIFFERENCE = 1e-6


@dataclass(frozen=True)
class PoolGradient:
    """A MaxPoolV3Grad node in one run of step.om: what went in and out, and what oracle and native code give.

    `ties` counts the windows whose maximum stands in them more than once.
    """

    node: str
    attributes: PoolAttributes
    orig_input: Array
    orig_output: Array
    grad: Array
    out_grad: Array
    oracle: Array
    native: Array
    ties: int

    @property
    def equal(self) -> bool:
        """Whether all three are the same to the bit (a zero's sign apart)."""
        return np.array_equal(self.out_grad, self.oracle) and np.array_equal(self.native, self.oracle)


@dataclass(frozen=True)
class ParameterGradient:
    """A parameter's gradient: from step.om in float32, from NumPy in float64; and the loss's slope two ways.

    The slope is that along one random direction of length 1: by the gradient of step.om, and by central
    finite differences of the loss in float64.
    """

    name: str
    step: Array
    numpy: Array
    slope: float
    difference: float

    @property
    def error(self) -> float:
        """The largest deviation from NumPy, in units of the gradient's largest element."""
        return float(np.abs(self.step - self.numpy).max() / np.abs(self.numpy).max())

    @property
    def slope_error(self) -> float:
        """The deviation of the two slopes, in units of the gradient's length."""
        return abs(self.slope - self.difference) / float(np.linalg.norm(self.numpy))


@dataclass(frozen=True)
class Gradients:
    """All of them, for one batch, and how many numbers were compared with a run of step.onnx."""

    pools: tuple[PoolGradient, ...]
    parameters: tuple[ParameterGradient, ...]
    compared: int


def compare_gradients(
    folder: Path, step: ModelProto, parameters: Parameters, training: Digits, batch: int
) -> Gradients:
    """Run step.om for some batches, then take its gradients for the next one and compare.

    Raises MaxPoolGradError where any comparison fails.
    """
    session = InferSession(0, folder / "step.om")
    state = dict(parameters)
    for at in range(WARM_UP_STEPS):
        results = _run(session, state, _batch(training, at, batch))
        state = {name: results[updated(name)] for name in SHAPES}
    chosen = _batch(training, WARM_UP_STEPS, batch)
    results = _run(session, state, chosen)
    compared = _compare_with_onnx(step, state, chosen, results)
    gradients = Gradients(
        _pool_gradients(folder, state, chosen), _parameter_gradients(state, chosen, results), compared
    )
    _demand(gradients)
    return gradients


def _batch(digits: Digits, at: int, batch: int) -> Digits:
    return digits.take(np.arange(at * batch, (at + 1) * batch) % len(digits))


def _feeds(state: Mapping[str, Array], digits: Digits) -> dict[str, Array]:
    """Momenta of zero: the updated momentum is then the gradient itself."""
    momenta = {momentum(name): np.zeros(shape, np.float32) for name, shape in SHAPES.items()}
    rate = np.array(RATE, np.float32)
    return {**state, **momenta, INPUT: digits.images, LABELS: digits.labels, LEARNING_RATE: rate}


def _run(session: InferSession, state: Mapping[str, Array], digits: Digits) -> dict[str, Array]:
    names = [info.name for info in session.get_outputs()]
    return dict(zip(names, session.infer(_feeds(state, digits)), strict=True))


def _compare_with_onnx(
    step: ModelProto, state: Mapping[str, Array], digits: Digits, results: Mapping[str, Array]
) -> int:
    """The outputs of step.onnx in ONNX Runtime must be those of step.om to the bit; how many elements."""
    names = list(results)
    expected = mpg.inference_session(step).run(names, _feeds(state, digits))
    for name, array in zip(names, expected, strict=True):
        if not np.array_equal(array, results[name]):
            raise MaxPoolGradError(
                f"step.om: output {quoted(name)} differs from that of step.onnx in ONNX Runtime"
            )
    return sum(array.size for array in expected)


def _pool_gradients(folder: Path, state: Mapping[str, Array], digits: Digits) -> tuple[PoolGradient, ...]:
    """The GE IR in step.om once more, with the values around each MaxPoolV3Grad as outputs."""
    model = ge_to_onnx(load(folder / "step.om"))
    nodes = [node for node in model.graph.node if is_max_pool_v3_grad(node)]
    names = sorted({name for node in nodes for name in (*node.input, *node.output)})
    known = {value.name for value in model.graph.output}
    model.graph.output.extend(ValueInfoProto(name=name) for name in names if name not in known)
    arrays = mpg.inference_session(model).run(names, _feeds(state, digits))
    values = dict(zip(names, arrays, strict=True))
    return tuple(_pool_gradient(node, values) for node in nodes)


def _pool_gradient(node: NodeProto, values: Mapping[str, Array]) -> PoolGradient:
    attributes = PoolAttributes.from_node(node)
    x, y, grad = (values[name] for name in node.input)
    oracle = mpg.reference.max_pool_v3_grad(x, y, grad, **attributes.as_dict())
    native = mpg.max_pool_v3_grad(x, y, grad, **attributes.as_dict())
    ties = _ties(x, y, attributes)
    return PoolGradient(node.name, attributes, x, y, grad, values[node.output[0]], oracle, native, ties)


def _ties(x: Array, y: Array, attributes: PoolAttributes) -> int:
    """How many windows hold their maximum more than once: all matches of a window, less the first."""
    (height, width), (down, right) = attributes.ksize[2:], attributes.strides[2:]
    matches = np.zeros(y.shape, int)
    for row in range(height):
        for column in range(width):
            taps = x[:, :, row::down, column::right][:, :, : y.shape[2], : y.shape[3]]
            matches[:, :, : taps.shape[2], : taps.shape[3]] += (
                taps == y[:, :, : taps.shape[2], : taps.shape[3]]
            )
    return int((matches > 1).sum())


def _parameter_gradients(
    state: Parameters, digits: Digits, results: Mapping[str, Array]
) -> tuple[ParameterGradient, ...]:
    value, gradients = numpy_network.loss_and_gradients(state, digits.images, digits.labels)
    if abs(float(results[LOSS]) - value) > TOLERANCE * value:
        raise MaxPoolGradError(f"step.om: the loss is {float(results[LOSS])}; NumPy in float64 has {value}")
    random = np.random.RandomState(0)
    found = []
    for name, shape in SHAPES.items():
        direction = random.standard_normal(shape)
        direction /= np.linalg.norm(direction)
        step = results[updated(momentum(name))]
        difference = _central_difference(state, name, direction, digits)
        slope = float((step * direction).sum())
        found.append(ParameterGradient(name, step, gradients[name], slope, difference))
    return tuple(found)


def _central_difference(state: Parameters, name: str, direction: Array, digits: Digits) -> float:
    def loss_at(offset: float) -> float:
        moved: dict[str, Array] = {**state, name: state[name].astype(np.float64) + offset * direction}
        return numpy_network.loss(moved, digits.images, digits.labels)

    return (loss_at(_DIFFERENCE) - loss_at(-_DIFFERENCE)) / (2 * _DIFFERENCE)


def _demand(gradients: Gradients) -> None:
    for pool in gradients.pools:
        if not pool.equal:
            raise MaxPoolGradError(
                f"step.om: out_grad of node {quoted(pool.node)} is not the oracle's, or not the native code's"
            )
    for parameter in gradients.parameters:
        error = max(parameter.error, parameter.slope_error)
        if not error <= TOLERANCE:
            raise MaxPoolGradError(
                f"step.om: the gradient of {quoted(parameter.name)} is off by {error:.1e} of its size; "
                f"at most {TOLERANCE:.0e} is allowed"
            )
