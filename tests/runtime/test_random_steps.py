"""Random training steps: the first step from the .om has the bits of the step's own in ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.gradient import initial_state
from support_cnn import random_cnns
from support_convert import assert_same_outputs
from support_ort import outputs_of


def test_first_step_has_the_same_bits(scale: Callable[[int, int], int], tmp_path: Path) -> None:
    pools = 0
    for cnn in random_cnns(5, scale(20, 200)):
        step = mpg.add_training_step(cnn.model)
        pools += sum(node.op_type == "MaxPoolV3Grad" for node in step.graph.node)
        feeds = {**cnn.feeds, **initial_state(cnn.model, step), "learning_rate": np.array(0.1, np.float32)}
        compiled = converters.compile(step, tmp_path / "step", soc_version="Ascend910B1")
        session = converters.InferSession(0, compiled.om)
        names = [info.name for info in session.get_outputs()]
        assert_same_outputs(outputs_of(step, feeds), dict(zip(names, session.infer(feeds), strict=True)))
        assert compiled.air is not None
        assert converters.load(compiled.air) == converters.load(compiled.om)
    assert pools > scale(20, 200)
