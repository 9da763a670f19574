"""What single rules refuse: the node, the value, what is allowed and a way out."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx import MaxPoolGradError, add_training_step
from maxpoolgrad_onnx.arrays import Array
from support_step import forward_model, named_nodes


def ones(*shape: int) -> Array:
    return np.ones(shape, np.float32)


def ints(*values: int) -> Array:
    return np.array(values)


CONV = "c = Conv (x, k)"  # [2, 4, 6, 6]
STATISTICS = {name: ones(4) for name in "sbmv"}

# Nodes to y, what they are refused for, weights, and inputs besides x.
CASES: dict[str, tuple[str, str, dict[str, Array], str]] = {
    "computed repeats": (
        f"{CONV} y = Tile (c, i)",
        r"Tile node 'y': its repeats 'i' are computed; make them constant",
        {},
        ", int64[4] i",
    ),
    "computed bounds": (
        f"{CONV} y = Slice (c, i, e)",
        r"Slice node 'y': its bounds 'i' are computed while the model runs; make them constant",
        {"e": ints(3)},
        ", int64[1] i",
    ),
    "empty slice": (
        f"{CONV} e = Slice (c, i, i, o) y = Concat <axis = 1> (e, c)",
        r"Slice node 'e': it takes nothing, so that no gradient comes back; remove it",
        {"i": ints(2), "o": ints(1)},
        "",
    ),
    "computed pads": (
        f"{CONV} y = Pad (c, i)",
        r"Pad node 'y': its pads are computed while the model runs; make them constant",
        {},
        ", int64[8] i",
    ),
    "a parameter as padding": (
        f"{CONV} f = Squeeze (w) y = Pad (c, p, f)",
        r"Pad node 'y': its constant_value depends on a parameter; make it constant, or use Concat",
        {"p": ints(0, 0, 1, 1, 0, 0, 0, 0), "w": ones(1)},
        "",
    ),
    "reflected channels": (
        f'{CONV} y = Pad <mode = "reflect"> (c, p)',
        r"Pad node 'y': mode is reflect and pads of axis 1 are \[1, 1\]; pad the last two axes alone",
        {"p": ints(0, 1, 0, 0, 0, 1, 0, 0)},
        "",
    ),
    "mode of padding": (
        f'{CONV} y = Pad <mode = "mirror"> (c, p)',
        r"Pad node 'y': mode is 'mirror'; use constant, reflect, edge",
        {"p": ints(0, 0, 1, 0, 0, 0, 0, 0)},
        "",
    ),
    "scatter that multiplies": (
        f'{CONV} y = ScatterElements <reduction = "mul"> (c, i, u)',
        r"ScatterElements node 'y': reduction is 'mul'; there is a rule for none and add",
        {"i": np.zeros((1, 1, 1, 1), np.int64), "u": ones(1, 1, 1, 1)},
        "",
    ),
    "wide output padding": (
        f"{CONV} y = ConvTranspose <strides = [2, 2], dilations = [3, 3], output_padding = [0, 2]> (c, w)",
        r"ConvTranspose node 'y': \[0, 2\] rows and columns are added.*strides is \[2, 2\]; make output_pad",
        {"w": ones(4, 1, 2, 2)},
        "",
    ),
    "last window past the input": (
        f"{CONV} y = AveragePool <kernel_shape = [4, 2], strides = [3, 4], pads = [0, 1, 0, 1], "
        "ceil_mode = 1, count_include_pad = 1> (c)",
        r"AveragePool node 'y': its last window begins past the input, and runtimes disagree.*; pool without",
        {},
        "",
    ),
    "a running mean that is read": (
        f"{CONV} z, n, o = BatchNormalization <training_mode = 1> (c, s, b, m, v) "
        "e = Reshape (n, t) y = Mul (z, e)",
        r"BatchNormalization node 'z': the loss depends on its output 'm.updated'; let it depend",
        {**STATISTICS, "t": ints(4, 1, 1)},
        "",
    ),
    "running statistics of two": (
        f"{CONV} z, n, o = BatchNormalization <training_mode = 1> (c, s, b, m, v) "
        "y, p, q = BatchNormalization <training_mode = 1> (z, s, b, m, v)",
        r"BatchNormalization node 'y': its running statistics 'm' are those of another node, too; give each",
        STATISTICS,
        "",
    ),
}


@pytest.mark.parametrize(("nodes", "pattern", "weights", "inputs"), CASES.values(), ids=CASES.keys())
def test_refused(nodes: str, pattern: str, weights: dict[str, Array], inputs: str) -> None:
    refused(nodes, pattern, weights, f"float[2,3,6,6] x{inputs}")


OPEN: dict[str, tuple[str, str, str]] = {
    "average over an edge": (
        "y = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (c)",
        "2,3,H,6",
        r"AveragePool node 'y': windows that reach over an edge.*a size of its input is unknown; fix it",
    ),
    "SAME of a stride": (
        'y = AveragePool <kernel_shape = [3, 3], strides = [2, 2], auto_pad = "SAME_UPPER"> (c)',
        "2,3,6,W",
        r"AveragePool node 'y': auto_pad SAME_UPPER with a stride above 1 needs the input's height and width",
    ),
    "output shape": (
        "y = ConvTranspose <output_shape = [12, 12], strides = [2, 2]> (c, w)",
        "2,3,H,6",
        r"ConvTranspose node 'y': output_shape is written and a size of its input is unknown; fix the sizes",
    ),
    "parts of an open axis": (
        "d = Exp (c) y = Concat <axis = 2> (c, d)",
        "2,3,H,6",
        r"Concat node 'y': dimension 2 of 'c' is unknown; fix it in the model's inputs",
    ),
    "a slice of an open axis": (
        "y = Slice (c, i, j, j)",
        "2,3,H,6",
        r"Slice node 'y': it takes a part of dimension 2 of 'c', which is unknown; fix it",
    ),
}


@pytest.mark.parametrize(("nodes", "size", "pattern"), OPEN.values(), ids=OPEN.keys())
def test_open_sizes(nodes: str, size: str, pattern: str) -> None:
    weights = {"w": ones(4, 1, 2, 2), "i": ints(1), "j": ints(2)}
    refused(f"{CONV} {nodes}", pattern, weights, f"float[{size}] x")


def test_computed_axes() -> None:
    """The result's shape, which onnx cannot infer then, is stated."""
    model = forward_model(
        "c = Relu (w) y = ReduceSum (c, i) logits = Add (y, x)",
        {"w": ones(2, 4)},
        inputs="float[2,4] x, int64[1] i",
    )
    model.graph.value_info.append(onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [2, 1]))
    pattern = r"ReduceSum node 'y': its axes are computed while the model runs; make them constant"
    with pytest.raises(MaxPoolGradError, match=pattern):
        add_training_step(named_nodes(model))


def test_training_before_opset_14() -> None:
    nodes = f"{CONV} y, n, o, p, q = BatchNormalization (c, s, b, m, v)"
    pattern = r"BatchNormalization node 'y': it has 5 outputs and no training_mode.*; export the model again"
    refused(nodes, pattern, STATISTICS, "float[2,3,6,6] x", opset=13)


def refused(nodes: str, pattern: str, weights: dict[str, Array], inputs: str, opset: int = 18) -> None:
    model = forward_model(
        f"{nodes} g = ReduceMean <keepdims = 0> (y) r = Reshape (g, shape) logits = MatMul (r, head)",
        {"k": ones(4, 3, 1, 1), "shape": ints(1, 1), "head": ones(1, 3), **weights},
        inputs=inputs,
        outputs="float[1,3] logits",
        opset=opset,
    )
    names = {name for node in model.graph.node for name in node.input}
    kept = [tensor for tensor in model.graph.initializer if tensor.name in names]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    with pytest.raises(MaxPoolGradError, match=pattern) as caught:
        add_training_step(named_nodes(model), frozen=["head"])
    assert "\n" not in str(caught.value)
