"""What exporters compute of shapes and constants is folded, and the shapes that follow are inferred."""

from __future__ import annotations

import numpy as np

from maxpoolgrad_onnx import add_training_step
from support_step import forward_model, only, op_types

W = {"w": np.ones((2, 3, 3, 3), np.float32), "d": np.ones((4, 2), np.float32)}


def test_a_bias_that_is_expanded_to_the_filters() -> None:
    """As torch's dynamo exporter writes a convolution without a bias."""
    nodes = """
    zero = Constant<value_ints=[0]>() shape = Shape<start=0, end=1>(w) wide = Expand(zero, shape)
    bias = CastLike(wide, x) h = Conv(x, w, bias) p = GlobalAveragePool(h) f = Flatten(p)
    logits = Gemm<transB=1>(f, d)"""
    step = add_training_step(forward_model(nodes, W))
    assert not {"Shape", "CastLike"} & set(op_types(step))
    assert only(step, "Conv").input[2] in {tensor.name for tensor in step.graph.initializer}


def test_bounds_of_clip_cast_to_the_type_of_its_input() -> None:
    nodes = """
    low = Constant<value_int=0>() high = Constant<value_int=6>() a = CastLike(low, h) b = CastLike(high, h)
    h = Conv(x, w) c = Clip(h, a, b) p = GlobalAveragePool(c) f = Flatten(p) logits = Gemm<transB=1>(f, d)"""
    nodes = nodes.replace("h = Conv(x, w) c", "c").replace("low =", "h = Conv(x, w) low =", 1)
    assert "CastLike" not in op_types(add_training_step(forward_model(nodes, W)))


def test_shapes_behind_computed_pads_are_inferred() -> None:
    """As torch's TorchScript exporter writes a padding: only folding tells how large the result is."""
    nodes = """
    few = Constant<value_ints=[0, 0, 1, 0]>() more = Constant<value_ints=[0, 0, 0, 1]>()
    twice = Concat<axis=0>(few, more) turned = Add(twice, twice) pads = Sub(turned, twice)
    padded = Pad(x, pads) h = Conv(padded, w)
    y = MaxPool<kernel_shape=[2,2], auto_pad="SAME_LOWER", strides=[2,2]>(h)
    g = GlobalAveragePool(y) f = Flatten(g) logits = Gemm<transB=1>(f, d)"""
    step = add_training_step(forward_model(nodes, W))
    assert only(step, "MaxPoolV3Grad")
    shapes = {value.name: value.type.tensor_type.shape for value in step.graph.value_info}
    assert [dim.dim_value for dim in shapes["padded"].dim] == [2, 3, 7, 7]


def test_an_expansion_to_what_no_model_needs_stays_a_node() -> None:
    nodes = """
    one = Constant<value_float=1.0>() shape = Constant<value_ints=[1000000, 3, 6, 6]>()
    huge = Expand(one, shape) s = ReduceMean<keepdims=1>(huge) z = Add(x, s) h = Conv(z, w)
    g = GlobalAveragePool(h) f = Flatten(g) logits = Gemm<transB=1>(f, d)"""
    assert "Expand" in op_types(add_training_step(forward_model(nodes, W)))
