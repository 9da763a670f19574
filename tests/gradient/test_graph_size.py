"""How many nodes a step adds, and how long it takes to build."""

from __future__ import annotations

import time

import numpy as np
import onnx
import pytest

from maxpoolgrad_onnx import add_training_step
from maxpoolgrad_onnx.arrays import Array
from support_gradient_rules import assert_nothing_is_dead
from support_step import forward_model, op_types

CHANNELS = 4
BLOCK = "c{1} = Conv <pads = [1, 1, 1, 1]> ({0}, k{1}) {2} r{1} = Relu (n{1}) s{1} = Add (r{1}, {0})"
GIVEN = "n{0} = BatchNormalization (c{0}, g{0}, b{0}, m{0}, v{0})"
OF_THE_BATCH = "n{0}, o{0}, p{0} = BatchNormalization <training_mode = 1> (c{0}, g{0}, b{0}, m{0}, v{0})"
NONE = "n{0} = Add (c{0}, d{0})"


def residual_network(blocks: int, normalisation: str) -> onnx.ModelProto:
    """Four nodes a block: Conv, a normalisation, Relu, Add."""
    rng = np.random.default_rng(0)
    weights: dict[str, Array] = {"head": rng.standard_normal((CHANNELS, 4)).astype(np.float32)}
    parts, value = [], "x"
    for number in range(blocks):
        parts.append(BLOCK.format(value, number, normalisation.format(number)))
        value = f"s{number}"
        shapes = {"k": (CHANNELS, CHANNELS, 3, 3), "d": (CHANNELS, 1, 1)} | dict.fromkeys("gbmv", (CHANNELS,))
        for kind, shape in shapes.items():
            if f"{kind}{number}" in parts[-1]:
                weights[f"{kind}{number}"] = rng.uniform(0.5, 1, shape).astype(np.float32)
    head = f"g = GlobalAveragePool ({value}) f = Flatten (g) logits = MatMul (f, head)"
    return forward_model(" ".join([*parts, head]), weights, inputs="float[2,4,6,6] x")


# Besides Conv's gradients, which are one node, Relu's and the sum of the two uses of a block's input.
NODES = {
    "a bias added": (NONE, 2),
    "given statistics": (GIVEN, 1),
    "the batch's statistics": (OF_THE_BATCH, 1),
}


@pytest.mark.parametrize(("normalisation", "its_nodes"), NODES.values(), ids=NODES.keys())
def test_nodes_of_a_block(normalisation: str, its_nodes: int) -> None:
    sizes = []
    for blocks in (2, 3):
        step = add_training_step(residual_network(blocks, normalisation), outputs="grads", unfold=True)
        assert_nothing_is_dead(step)
        sizes.append(len(op_types(step)))
    assert sizes[1] - sizes[0] == 4 + 1 + 1 + 1 + its_nodes


@pytest.mark.parametrize("outputs", ["update", "grads"])
def test_a_step_of_five_hundred_nodes_is_built_within_three_seconds(outputs: str) -> None:
    model = residual_network(125, OF_THE_BATCH)
    assert len(model.graph.node) > 500
    start = time.process_time()
    add_training_step(model, outputs=outputs)
    assert time.process_time() - start < 3
