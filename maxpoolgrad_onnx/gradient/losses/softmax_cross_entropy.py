"""Softmax cross-entropy, with class weights, label smoothing and a class that does not count."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx_ir as ir

from ...errors import MaxPoolGradError, quoted
from .. import interface
from ..options import number
from ..refusal import subject_of
from ..tape import Dim, Tape, dtype_of, shape_of
from .loss import element_count, given, labels_of, one_hot, total, widened


@dataclass(frozen=True)
class SoftmaxCrossEntropy:
    """L = -sum(T log P) / D and dX = (P sum_c(T) - T) / D: as torch.nn.functional.cross_entropy, a mean.

    X [N, classes, ...] are the logits, P = softmax(X) over the classes; labels, the input `labels`, int64
    [N, ...]. With O the one-hot labels, w the weight of each class (1), s the smoothing (0), and m = 0 where
    the label is `ignore_index` (else 1):

        T = m w ((1 - s) O + s / classes)        D = sum(m w O)

    A label lies in [0, classes) or is `ignore_index`. Where every label is ignored, the loss is NaN.

    Attributes:
        class_weights: a number of 0 or more for each class.
        label_smoothing: 0 to 1.
        ignore_index: the label of examples, or pixels, that do not count.
    """

    class_weights: Sequence[float] | None = None
    label_smoothing: float = 0.0
    ignore_index: int | None = None

    def __post_init__(self) -> None:
        """Check the options. Raises MaxPoolGradError (E10001)."""
        number("label_smoothing", self.label_smoothing, most=1.0)
        for weight in () if self.class_weights is None else self.class_weights:
            number("a class weight", weight)
        ignored: object = self.ignore_index
        if ignored is not None and not isinstance(ignored, numbers.Integral):
            raise MaxPoolGradError(f"ignore_index is {ignored!r}; it must be an int", code="E10001")

    def target(self, output: ir.Value, dims: tuple[Dim, ...]) -> ir.Value:
        """`labels`, int64."""
        producer = output.producer()
        if producer is not None and producer.op_type in ("Softmax", "LogSoftmax"):
            before = producer.inputs[0]
            raise MaxPoolGradError(
                f"output {quoted(output.name)} comes from {subject_of(producer)}, and softmax cross-entropy "
                f"has a softmax of its own; end the model at {quoted(before and before.name)}"
            )
        labels = labels_of(interface.LABELS, output, dims)
        if self.class_weights is not None and len(self.class_weights) != dims[1]:
            raise MaxPoolGradError(
                f"there are {len(self.class_weights)} class weights, and output {quoted(output.name)} has "
                f"{dims[1]} classes; give one for each",
                code="E10001",
            )
        return labels

    def write(self, tape: Tape, output: ir.Value, target: ir.Value | None) -> tuple[ir.Value, ir.Value]:
        """The loss, and the logits' gradient."""
        x = widened(tape, output)
        log_p = tape.op("LogSoftmax", [x], like=x, attributes={"axis": 1})
        wanted, per_example, count = self._wanted(tape, x, given(target))
        picked = total(tape, tape.op("Mul", [log_p, wanted], like=x))
        loss = tape.op("Neg", [tape.op("Div", [picked, count], like=picked)], like=picked)
        p = tape.op("Exp", [log_p], like=x)
        if per_example is not None:
            p = tape.op("Mul", [p, per_example], like=x)
        difference = tape.op("Sub", [p, wanted], like=x)
        return loss, tape.op("Div", [difference, count], like=x)

    def _wanted(
        self, tape: Tape, x: ir.Value, labels: ir.Value
    ) -> tuple[ir.Value, ir.Value | None, ir.Value]:
        """T, its sum over the classes (None where that is 1), and D."""
        classes = shape_of(x)[1]
        assert isinstance(classes, int)
        smoothing = self.label_smoothing / classes
        if self.class_weights is None and self.ignore_index is None:
            wanted = one_hot(tape, labels, x, smoothing, 1 - self.label_smoothing + smoothing)
            return wanted, None, element_count(tape, labels, x)
        factor = self._factor(tape, x, labels)
        hard = tape.op("Mul", [one_hot(tape, labels, x), factor], like=x)
        wanted = hard
        if self.label_smoothing:
            soft = one_hot(tape, labels, x, smoothing, 1 - self.label_smoothing + smoothing)
            wanted = tape.op("Mul", [soft, factor], like=x)
        dims = shape_of(x)
        per_example = tape.op(
            "ReduceSum", [wanted, tape.ints([1], "axes")], like=x, shape=[dims[0], 1, *dims[2:]]
        )
        return wanted, per_example, total(tape, hard)

    def _factor(self, tape: Tape, x: ir.Value, labels: ir.Value) -> ir.Value:
        """m w, broadcast to the logits."""
        dims, dtype = shape_of(x), dtype_of(x)
        weights = None
        if self.class_weights is not None:
            array = np.array(self.class_weights, dtype.numpy()).reshape(1, -1, *[1] * (len(dims) - 2))
            weights = tape.constant(array, "class_weights")
        if self.ignore_index is None:
            assert weights is not None
            return weights
        ignored = tape.constant(np.array(self.ignore_index, np.int64), "ignore_index")
        equal = tape.op("Equal", [labels, ignored], like=labels, dtype=ir.DataType.BOOL)
        counts = tape.op("Not", [equal], like=equal)
        mask = tape.op("Cast", [counts], like=counts, dtype=dtype, attributes={"to": dtype})
        shape = [dims[0], 1, *dims[2:]]
        mask = tape.op("Unsqueeze", [mask, tape.ints([1], "axes")], like=x, shape=shape)
        return mask if weights is None else tape.op("Mul", [mask, weights], like=x)
