"""Where numbers end: the first tensor of a step that holds NaN or infinity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from onnx import ModelProto, helper

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import quoted
from maxpoolgrad_onnx.session import inference_session


def is_finite(array: Array) -> bool:
    """Whether all elements are finite; those of other than floating-point types are."""
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def first_not_finite(arrays: Mapping[str, Array]) -> str | None:
    """The first name whose array is not finite."""
    return next((name for name, array in arrays.items() if not is_finite(array)), None)


def offending_tensor(model: ModelProto, feeds: Mapping[str, Array]) -> str | None:
    """The first tensor in the order of the nodes that is not finite though all that its node reads is.

    The model runs once more with every tensor as an output. Returns what it is, in words; None where there is
    no such tensor. A constant that holds infinity on purpose is not counted.
    """
    every = ModelProto()
    every.CopyFrom(model)
    names = [name for node in model.graph.node for name in node.output if name]
    del every.graph.output[:]
    every.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    session = inference_session(every)
    found = dict(zip(names, _run(session, names, feeds), strict=True))
    values = {**feeds, **found}
    for node in model.graph.node:
        bad = [name for name in node.output if name in found and not is_finite(found[name])]
        if bad and _all_finite(values, node.input):
            return f"{quoted(bad[0])}, which {node.op_type} node {quoted(node.name or bad[0])} gives"
    return None


def _run(session: object, names: Sequence[str], feeds: Mapping[str, Array]) -> list[Array]:
    return session.run(names, dict(feeds))  # type: ignore[attr-defined, no-any-return]


def _all_finite(values: Mapping[str, Array], names: Iterable[str]) -> bool:
    return all(is_finite(values[name]) for name in names if name in values)
