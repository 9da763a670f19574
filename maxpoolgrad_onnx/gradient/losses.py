"""Losses: from the forward model's output and the labels to a scalar and the output's gradient."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import onnx_ir as ir

from .tape import Tape, dtype_of, shape_of

Loss = Callable[[Tape, ir.Value, ir.Value], tuple[ir.Value, ir.Value]]


def softmax_cross_entropy(tape: Tape, logits: ir.Value, labels: ir.Value) -> tuple[ir.Value, ir.Value]:
    """L = -sum(T log P) / N and dlogits = (P - T) / N.

    logits [N, classes], labels int64 [N]; P = softmax(logits) over the classes, T = one-hot labels, N the
    batch: the mean over the batch, as torch.nn.functional.cross_entropy. Labels must lie in [0, classes).
    """
    batch, classes = shape_of(logits)
    assert isinstance(classes, int)
    log_p = tape.op("LogSoftmax", [logits], like=logits, attributes={"axis": 1})
    depth = tape.constant(np.array(classes, np.int64), "classes")
    off_on = tape.constant(np.array([0, 1], dtype_of(logits).numpy()), "off_on")
    target = tape.op("OneHot", [labels, depth, off_on], like=logits, attributes={"axis": 1})
    count = _batch_size(tape, logits, batch)
    picked = tape.op("Mul", [log_p, target], like=logits)
    axes = tape.ints([0, 1], "axes")
    total = tape.op("ReduceSum", [picked, axes], like=logits, shape=[], attributes={"keepdims": 0})
    mean = tape.op("Div", [total, count], like=total)
    loss = tape.op("Neg", [mean], like=mean)
    p = tape.op("Exp", [log_p], like=logits)
    difference = tape.op("Sub", [p, target], like=logits)
    return loss, tape.op("Div", [difference, count], like=logits)


def _batch_size(tape: Tape, logits: ir.Value, batch: object) -> ir.Value:
    """N as a scalar of the logits' dtype."""
    if isinstance(batch, int):
        return tape.scalar(batch, logits, "batch_size")
    first = tape.constant(np.array(0, np.int64), "first")
    size = tape.op(
        "Gather",
        [tape.shape_tensor(logits), first],
        dtype=ir.DataType.INT64,
        shape=[],
        attributes={"axis": 0},
    )
    return tape.op("Cast", [size], like=logits, shape=[], attributes={"to": dtype_of(logits)})


LOSSES: Mapping[str, Loss] = {"softmax_cross_entropy": softmax_cross_entropy}
