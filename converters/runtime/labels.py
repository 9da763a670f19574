"""Labels that a training step's loss counts."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import ModelProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.gradient.interface import LABELS


def check_labels(model: str, proto: ModelProto, labels: Array) -> None:
    """Raise MaxPoolGradError for a label that is no class of the step `proto`.

    The step itself cannot: OneHot makes zeros of a label that is too large, and counts a negative one from
    the end, so that a training would go on with a wrong loss.
    """
    count = class_count(proto)
    if count is None:
        return
    wrong = np.flatnonzero((labels < 0) | (labels >= count))
    if wrong.size:
        raise MaxPoolGradError(
            f"{model}: {LABELS} holds {labels[wrong[0]]} for example {wrong[0]}; the step has {count} "
            f"classes: number them from 0 to {count - 1}"
        )


def class_count(proto: ModelProto) -> int | None:
    """The depth of the OneHot that the labels go into; None where there is none, or it is not constant."""
    depths = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in proto.graph.initializer}
    derived = {LABELS}
    for node in proto.graph.node:
        if node.op_type == "OneHot" and node.input[0] in derived:
            depth = depths.get(node.input[1])
            return None if depth is None else int(depth.reshape(-1)[0])
        if not derived.isdisjoint(node.input):
            derived.update(node.output)
    return None
