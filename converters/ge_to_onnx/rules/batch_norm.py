"""Batch normalisation."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from maxpoolgrad_onnx.errors import quoted

from ...ge_ir import Edge
from ...ge_ops.forms import RUNNING, running_factor, running_terms
from ..ge_node import GeNode
from ..registry import part, rule
from .fewer_axes import FewerAxes

_LAYOUTS = ("NCHW", "NCDHW")


@rule("BatchNorm")
def batch_norm(node: GeNode) -> None:
    """BatchNorm(x, scale, offset, mean, variance) becomes BatchNormalization(X, scale, B, mean, var).

    epsilon alike. With is_training it becomes the one with training_mode 1: where its statistics go to Muls
    and Add as the rule for BatchNormalization puts them there, momentum and running statistics are those;
    else momentum is 0, which gives the batch's own, and the variance is multiplied by n / (n - 1), n elements
    per channel, as GE has it. Refused: other layouts than NCHW and NCDHW, the use of a reserve_space by
    others than BatchNormGrad, and in training an exponential_avg_factor other than 1.
    """
    check_layout(node)
    training = node.attr("is_training")
    if not training:
        node.attr("exponential_avg_factor")
    for output in range(1 if not training else 3, 6):
        if any(not training or end != ("BatchNormGrad", output) for end in node.consumer_ports(output)):
            node.refuse(f"its output {output} is used; the host gives {'3' if training else '1'} of them")
    fewer = FewerAxes.of(node)
    image = node.input(0) if fewer is None else fewer.input(node, 0)
    target = node if fewer is None else fewer.end
    if training:
        _add_training(node, target, image)
        return
    parameters = [node.input(index) for index in range(1, 5)]
    inputs = [image, *parameters]
    target.add_for([target.name_of(0)], "BatchNormalization", inputs, epsilon=node.attr("epsilon"))


def check_layout(node: GeNode) -> None:
    """Refuse a layout that ONNX's operator does not have."""
    layout = node.attr("data_format")
    if layout not in _LAYOUTS:
        node.refuse(f"data_format is {quoted(layout)}; the host runs {' and '.join(map(quoted, _LAYOUTS))}")


@dataclass(frozen=True)
class _Mix:
    """The Add that mixes an old statistic with the batch's, the Muls of the old one, and its factor."""

    add: GeNode
    kept: GeNode
    momentum: float


def _add_training(node: GeNode, target: GeNode, image: str) -> None:
    mixes = _mixes(node)
    momentum = next((mix.momentum for mix in mixes.values()), 0.0)
    old = [mixes[i].kept.input(0) if i in mixes else _any_statistic(node, i) for i in (1, 2)]
    outputs = [mixes[i].add.name_of(0) if i in mixes else node.name_of(i) for i in (1, 2)]
    if 2 not in mixes and node.consumer_ends(2):
        outputs[1] = node.unique_name("variance")
    target.add_for(
        [target.name_of(0), *outputs],
        "BatchNormalization",
        [image, node.input(1), node.input(2), *old],
        epsilon=node.attr("epsilon"),
        momentum=momentum,
        training_mode=1,
    )
    if 2 not in mixes and node.consumer_ends(2):
        bias = _bias(node)
        if bias is None:
            node.refuse(
                f"its input has the shape {list(node.input_desc(0).shape or ())}; the host needs to know how "
                "many elements each channel has"
            )
        factor = node.add_constant(np.array(1 / bias, np.float32), "factor")
        node.add_for([node.name_of(2)], "Mul", [outputs[1], factor], suffix="sample_variance")


def _mixes(node: GeNode) -> dict[int, _Mix]:
    """By output: how running statistics are made of those in use, as the rule for BatchNormalization does it.

    Empty where any is used otherwise, or where they disagree on momentum.
    """
    mixes: dict[int, _Mix] = {}
    for output in (1, 2):
        if node.consumer_ends(output):
            mix = _mix(node, output)
            if mix is None:
                return {}
            mixes[output] = mix
    return mixes if len({mix.momentum for mix in mixes.values()}) <= 1 else {}


def _mix(node: GeNode, output: int) -> _Mix | None:
    if node.consumer_ports(output) not in ([("Muls", 0)], [("Mul", 0)]):
        return None
    added = node.consumers(output)[0]
    if added.consumer_ports() != [("Add", 1)]:
        return None
    add = added.consumers()[0]
    kept = add.producer(0)
    if add.onnx_form != RUNNING or kept.type != "Muls" or kept.consumer_ports() != [("Add", 0)]:
        return None
    momentum = kept.attr("value")
    bias = 1.0 if output == 1 else _bias(node)
    if bias is None or added.type == "Mul":
        fits = bias is None and added.type == "Mul" and _counts(added, node, momentum)
    else:
        fits = added.attr("value") == running_factor(momentum, bias)
    return _Mix(add, kept, momentum) if fits else None


def _counts(added: GeNode, norm: GeNode, momentum: float) -> bool:
    """Whether it multiplies by the factor of an open batch, Sub(whole, RealDiv(part, Cast(Size(x))))."""
    shape = norm.input_desc(0).shape or ()
    terms = []
    node = added
    for type_ in ("Sub", "RealDiv"):
        node = node.producer(1)
        term = node.optional_constant(0) if _is_counting(node, type_) else None
        if term is None or term.shape:
            return False
        terms.append(float(term))
    cast = node.producer(1)
    size = cast.producer(0) if _is_counting(cast, "Cast") else cast
    return (
        _is_counting(size, "Size")
        and size.input_edge(0) in (norm.input_edge(0), *_before_unsqueeze(norm))
        and tuple(terms) == running_terms(momentum, shape[1])
    )


def _is_counting(node: GeNode, type_: str) -> bool:
    return node.type == type_ and node.onnx_form == RUNNING and len(node.consumer_ends()) == 1


def _before_unsqueeze(norm: GeNode) -> list[Edge]:
    source = norm.producer(0)
    return [source.input_edge(0)] if source.type == "Unsqueeze" else []


@part("Add")
def _mixes_statistics(node: GeNode) -> bool:
    """Whether it makes a running statistic of a BatchNorm that becomes one with running statistics."""
    if node.onnx_form != RUNNING or not node.has_input(1):
        return False
    added = node.producer(1)
    if added.type not in ("Mul", "Muls"):
        return False
    norm, output = added.producer(0), added.input_edge(0).output
    mix = _mixes(norm).get(output) if norm.type == "BatchNorm" and norm.attr("is_training") else None
    return mix is not None and mix.add.node.name == node.node.name


@part("Cast", "RealDiv", "Size", "Sub")
def _counts_elements(node: GeNode) -> bool:
    """Whether it counts an open batch for the Mul of such an Add."""
    ends = node.consumer_ends() if node.onnx_form == RUNNING else []
    if len(ends) != 1:
        return False
    user, port = ends[0]
    return _scales_statistics(user) if (user.type, port) == ("Mul", 1) else _counts_elements(user)


@part("Mul", "Muls")
def _scales_statistics(node: GeNode) -> bool:
    """Whether it scales an old or the batch's statistic for such an Add."""
    return node.consumer_ports() in ([("Add", 0)], [("Add", 1)]) and _mixes_statistics(node.consumers()[0])


def _any_statistic(node: GeNode, output: int) -> str:
    """A finite running statistic, of which momentum 0 leaves nothing, or whose mix nobody reads."""
    shape = node.input_desc(1).shape
    if shape is None or -1 in shape:
        node.refuse("scale is of unknown size; the host needs the number of channels in training")
    # ONNX Runtime makes one of equal constants, and then the two results that it writes over them.
    return node.add_constant(np.full(shape, output, np.float32), f"statistic{output}")


def _bias(node: GeNode) -> float | None:
    """(n - 1) / n for n elements per channel; None where n is not known."""
    shape = node.input_desc(0).shape or (-1,)
    sizes = (*shape[:1], *shape[2:])
    if -1 in sizes:
        return None
    count = math.prod(sizes)
    if count < 2:
        node.refuse(f"its input has the shape {list(shape)}; the host needs 2 elements per channel")
    return (count - 1) / count
