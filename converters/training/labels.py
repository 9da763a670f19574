"""Labels that a training step's loss counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
import onnx.inliner
from onnx import ModelProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.gradient.interface import LABELS
from maxpoolgrad_onnx.opsets import FUNCTION_DOMAIN


@dataclass(frozen=True)
class Classes:
    """How many classes a step has, and the label that it ignores, if any."""

    count: int
    ignored: int | None


def check_labels(model: str, proto: ModelProto, labels: Array) -> None:
    """Raise MaxPoolGradError for a label that is no class of the step `proto`, and not the one it ignores.

    The step itself cannot: OneHot makes zeros of a label that is too large, and counts a negative one from
    the end, so that a training would go on with a wrong loss.
    """
    classes = classes_of(proto)
    if classes is None:
        return
    wrong = (labels < 0) | (labels >= classes.count)
    if classes.ignored is not None:
        wrong &= labels != classes.ignored
    if wrong.any():
        first = tuple(np.argwhere(wrong)[0])
        also = "" if classes.ignored is None else f", or give {classes.ignored}, which does not count"
        raise MaxPoolGradError(
            f"{model}: {LABELS} holds {labels[first]} for example {first[0]}; the step has {classes.count} "
            f"classes: number them from 0 to {classes.count - 1}{also}"
        )


def classes_of(proto: ModelProto) -> Classes | None:
    """What the labels go into: the depth of a OneHot, and the number that an Equal compares them with.

    None where there is no OneHot, or its depth is not constant.
    """
    own = [(f.domain, f.name) for f in proto.functions if f.domain == FUNCTION_DOMAIN]
    if own:
        proto = onnx.inliner.inline_selected_functions(proto, own)
    constants = {tensor.name: tensor for tensor in proto.graph.initializer}
    derived = {LABELS}
    count = ignored = None
    for node in proto.graph.node:
        if derived.isdisjoint(node.input[:1]):
            if not derived.isdisjoint(node.input):
                derived.update(node.output)
            continue
        if node.op_type == "OneHot":
            count = count or _number(constants.get(node.input[1]))
        elif node.op_type == "Equal":
            ignored = _number(constants.get(node.input[1]))
        else:
            derived.update(node.output)
    return None if count is None else Classes(count, ignored)


def _number(tensor: onnx.TensorProto | None) -> int | None:
    return None if tensor is None else int(onnx.numpy_helper.to_array(tensor).reshape(-1)[0])
