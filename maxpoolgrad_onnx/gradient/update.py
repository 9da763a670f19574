"""The end of a training step: from parameters and their gradients to updated parameters and states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from . import interface
from .losses.loss import computed_in, total, widened
from .optimizers import Optimizer
from .optimizers.optimizer import Rule
from .packing import Pack, packs_of
from .scaling import Scaling
from .tape import Tape, dtype_of, shape_of

_CLIP_EPSILON = 1e-6  # torch.nn.utils.clip_grad_norm_'s

Trained = Sequence[tuple[ir.Value, ir.Value]]
"""Parameters, each with its gradient."""


@dataclass(frozen=True)
class UpdateOptions:
    """How gradients become updates.

    With `master_weights` a float16 parameter is kept in float32 as well, and updated there.
    """

    optimizer: Optimizer
    clip_norm: float | None = None
    master_weights: bool = False

    def scalar_states(self, scaled: bool) -> list[str]:
        """The states that belong to no parameter."""
        steps = [interface.STEP] if self.optimizer.counts_steps else []
        return [*steps, *((interface.LOSS_SCALE, interface.GOOD_STEPS) if scaled else ())]


def write_updates(
    tape: Tape, trained: Trained, options: UpdateOptions, scaling: Scaling | None
) -> tuple[list[ir.Value], list[ir.Value]]:
    """Write the update of all parameters to the tape; returns the step's further inputs and its outputs.

    Small parameters of one type that differ in their first size at most are updated as one tensor. float16
    parameters are updated in float32, and so are their slots and the learning rate; with master weights they
    are what these are, rounded. Gradients that are scaled
    are unscaled; then, with `clip_norm`, multiplied by min(1, clip_norm / (norm + 1e-6)), norm the square
    root of the sum of all squares. Where a scaled gradient is no finite number, everything stays as it was.
    """
    return _Update(tape, trained, options, scaling).write()


class _Update:
    def __init__(self, tape: Tape, trained: Trained, options: UpdateOptions, scaling: Scaling | None) -> None:
        self.tape = tape
        self.parameters = [parameter for parameter, _ in trained]
        self.gradients = [gradient for _, gradient in trained]
        self.options = options
        self.scaling = scaling
        wide = {computed_in(parameter) for parameter in self.parameters}
        self.scalar_type = ir.DataType.DOUBLE if wide == {ir.DataType.DOUBLE} else ir.DataType.FLOAT
        self.rate = _input(interface.LEARNING_RATE, self.scalar_type)
        self.masters = [self._master(parameter) for parameter in self.parameters]
        self.slots = {
            kind: [self._slot(parameter, kind) for parameter in self.parameters]
            for kind in options.optimizer.slots
        }

    def write(self) -> tuple[list[ir.Value], list[ir.Value]]:
        tape = self.tape
        tape.scope = "update"
        packs = packs_of(self.parameters)
        gradients = [widened(tape, pack.join(tape, self.gradients)) for pack in packs]
        factor, finite, reports = self._factor(gradients)
        count_before, count, count_after = self._count(finite)
        scale_before, scale_after = (
            ([], []) if self.scaling is None or finite is None else self.scaling.after(tape, finite)
        )
        rules = self._rules(gradients, count)
        after: dict[str, ir.Value] = {}
        for pack, gradient in zip(packs, gradients, strict=True):
            first = self.parameters[pack.numbers[0]]
            tape.scope = f"{first.name}.update" if len(pack.numbers) == 1 else "update"
            g = gradient
            if factor is not None:
                g = tape.op("Mul", [g, self._as(factor, dtype_of(g))], like=g)
            after |= self._write_pack(pack, g, rules[dtype_of(g)], finite)
        states = [*count_before, *scale_before]
        for state, value in zip(states, [*count_after, *scale_after], strict=True):
            value.name = interface.updated(str(state.name))
            after[str(state.name)] = value
        masters = [value for value in self.masters if value not in self.parameters]
        slots = [values[number] for number in range(len(self.parameters)) for values in self.slots.values()]
        carried = [*self.parameters, *masters, *slots, *states]
        return [*carried, self.rate], [*(after[str(value.name)] for value in carried), *reports]

    def _rules(self, gradients: Sequence[ir.Value], count: ir.Value | None) -> dict[ir.DataType, Rule]:
        """The optimizer's rule for each type that updates are computed in."""
        rules: dict[ir.DataType, Rule] = {}
        for dtype in dict.fromkeys(map(dtype_of, gradients)):
            number = None if count is None else self._as(count, dtype)
            rules[dtype] = self.options.optimizer.rule(self.tape, self._as(self.rate, dtype), number)
        return rules

    def _write_pack(
        self,
        pack: Pack,
        gradient: ir.Value,
        rule: Rule,
        finite: ir.Value | None,
    ) -> dict[str, ir.Value]:
        """The updated parameters and slots of a pack, by the names of those before."""
        tape = self.tape
        parameter = widened(tape, pack.join(tape, self.masters))
        kept = [pack.join(tape, values) for values in self.slots.values()]
        updated, slots = rule(parameter, gradient, kept)
        if finite is not None:
            updated, *slots = (
                tape.op("Where", [finite, new, old], like=old)
                for new, old in zip((updated, *slots), (parameter, *kept), strict=True)
            )
        stored = self._as(updated, dtype_of(self.parameters[pack.numbers[0]]))
        after = {}
        results = [(self.parameters, stored), *zip(self.slots.values(), slots, strict=True)]
        if self.masters[pack.numbers[0]] is not self.parameters[pack.numbers[0]]:
            results.append((self.masters, updated))
        for values, joint in results:
            for number, value in zip(pack.numbers, pack.split(tape, joint, values), strict=True):
                name = str(values[number].name)
                value.name = interface.updated(name)
                after[name] = value
        return after

    def _factor(
        self, gradients: Sequence[ir.Value]
    ) -> tuple[ir.Value | None, ir.Value | None, list[ir.Value]]:
        """What gradients are multiplied by, whether all are finite, and the outputs that tell of it."""
        tape, clip = self.tape, self.options.clip_norm
        if clip is None and self.scaling is None:
            return None, None, []
        squares = [total(tape, tape.op("Mul", [g, g], like=g)) for g in gradients]
        parts = [self._as(square, self.scalar_type) for square in squares]
        square = parts[0] if len(parts) == 1 else tape.op("Sum", parts, like=parts[0])
        one = tape.scalar(1, square, "one")
        reports = []
        factor = finite = None
        if self.scaling is not None:
            # Where a square or their sum overflows, a gradient is too large to be of use as well.
            endless = tape.scalar(np.inf, square, "infinity")
            finite = tape.op("Less", [square, endless], like=square, dtype=ir.DataType.BOOL)
            factor = tape.op("Div", [one, self._as(self.scaling.value, self.scalar_type)], like=one)
            skipped = tape.op("Not", [finite], like=finite)
            skipped.name = interface.SKIPPED
            reports.append(skipped)
        if clip is not None:
            norm = tape.op("Sqrt", [square], like=square)
            if factor is not None:
                norm = tape.op("Mul", [norm, factor], like=norm)
            norm.name = interface.GRADIENT_NORM
            reports.insert(0, norm)
            enlarged = tape.op("Add", [norm, tape.scalar(_CLIP_EPSILON, norm, "epsilon")], like=norm)
            share = tape.op("Div", [tape.scalar(clip, norm, "clip_norm"), enlarged], like=norm)
            share = tape.op("Min", [share, one], like=norm)
            factor = share if factor is None else tape.op("Mul", [share, factor], like=norm)
        return factor, finite, reports

    def _count(self, finite: ir.Value | None) -> tuple[list[ir.Value], ir.Value | None, list[ir.Value]]:
        """The step counter before, this step's number in `scalar_type`, and the counter after."""
        if not self.options.optimizer.counts_steps:
            return [], None, []
        before = _input(interface.STEP, ir.DataType.INT64)
        one = self.tape.constant(np.array(1, np.int64), "number")
        number = self.tape.op("Add", [before, one], like=before)
        count = self._as(number, self.scalar_type)
        after = number if finite is None else self.tape.op("Where", [finite, number, before], like=before)
        return [before], count, [after]

    def _master(self, parameter: ir.Value) -> ir.Value:
        """What is updated in the place of a parameter: its master weight, or itself."""
        if not self.options.master_weights or computed_in(parameter) == dtype_of(parameter):
            return parameter
        return self._slot(parameter, interface.MASTER)

    def _slot(self, parameter: ir.Value, kind: str) -> ir.Value:
        dtype = computed_in(parameter)
        name = interface.slot(str(parameter.name), kind)
        return ir.Value(name=name, type=ir.TensorType(dtype), shape=ir.Shape(shape_of(parameter)))

    def _as(self, value: ir.Value, dtype: ir.DataType) -> ir.Value:
        if dtype_of(value) == dtype:
            return value
        return self.tape.op("Cast", [value], like=value, dtype=dtype, attributes={"to": dtype})


def _input(name: str, dtype: ir.DataType) -> ir.Value:
    return ir.Value(name=name, type=ir.TensorType(dtype), shape=ir.Shape([]))
