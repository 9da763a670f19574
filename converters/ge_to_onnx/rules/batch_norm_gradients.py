"""Batch normalisation's gradients."""

from __future__ import annotations

import numpy as np
import onnx

from maxpoolgrad_onnx.batch_norm_gradients import BATCH_NORM_GRAD, BATCH_NORM_INFERENCE_GRAD
from maxpoolgrad_onnx.contract import DOMAIN

from ...ge_ir import Edge
from ..ge_node import GeNode
from ..registry import rule
from .batch_norm import check_layout
from .fewer_axes import FewerAxes
from .reserve import FIRST_RESERVE


@rule("BatchNormGrad")
def batch_norm_gradient(node: GeNode) -> None:
    """BatchNormGrad becomes npu::BatchNormGrad(y_backprop, x, scale), with is_training false
    npu::BatchNormInferenceGrad(y_backprop, x, scale, mean, variance).

    epsilon alike. float16 is cast to float32 before and back behind. Refused: other layouts than NCHW and
    NCDHW, the use of reserve_space_4 or 5, in training reserve_space_1 and 2 of anything but a BatchNorm that
    trains on the same x with the same epsilon, else an output that output_mask leaves out.
    """
    check_layout(node)
    training = node.attr("is_training")
    _check_outputs(node, node.attr("output_mask"), training)
    if training:
        _check_reserve(node)
    fewer = FewerAxes.of(node)
    images = [node.input(port) if fewer is None else fewer.input(node, port) for port in (0, 1)]
    vectors = [node.input(port) for port in range(2, 3 if training else 5)]
    end = node if fewer is None else fewer.end
    sums = [node.name_of(1), node.name_of(2)]
    op_type = BATCH_NORM_GRAD if training else BATCH_NORM_INFERENCE_GRAD
    epsilon = node.attr("epsilon")
    narrow = node.input_dtype(1)
    if narrow == np.float32:
        node.add_for([end.name_of(0), *sums], op_type, [*images, *vectors], DOMAIN, epsilon=epsilon)
        return
    wide = [node.add_inner("Cast", "wide", [image], to=onnx.TensorProto.FLOAT) for image in images]
    x_backprop = node.unique_name("wide_x_backprop")
    node.add_for([x_backprop, *sums], op_type, [*wide, *vectors], DOMAIN, epsilon=epsilon)
    to = onnx.helper.np_dtype_to_tensor_dtype(narrow)
    node.add_for([end.name_of(0)], "Cast", [x_backprop], suffix="narrow", to=to)


def _check_outputs(node: GeNode, mask: list[bool], training: bool) -> None:
    for output in range(FIRST_RESERVE, 5):
        if node.consumer_ends(output):
            node.refuse(f"its output {output} is used; the host gives 3 of them")
    for output in range(0 if training else FIRST_RESERVE):
        if node.consumer_ends(output) and not all(mask[output : output + 1]):
            node.refuse(f"its output {output} is used, and output_mask is {mask}")


def _check_reserve(node: GeNode) -> None:
    norm = node.producer(FIRST_RESERVE)
    expected = [Edge(norm.node.name, output) for output in range(FIRST_RESERVE, FIRST_RESERVE + 2)]
    found = [node.input_edge(port) for port in range(FIRST_RESERVE, FIRST_RESERVE + 2)]
    same = (
        norm.type == "BatchNorm"
        and norm.attr("is_training")
        and found == expected
        and norm.input_edge(0) == node.input_edge(1)
        and norm.attr("epsilon") == node.attr("epsilon")
    )
    if not same:
        node.refuse(
            "reserve_space_1 and 2 must be those of a BatchNorm that trains on the same x with the same "
            "epsilon: the host computes the statistics of x itself"
        )
