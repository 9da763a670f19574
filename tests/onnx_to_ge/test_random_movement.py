"""Random slices, pads and splits, many in one model: the same bits there and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
from numpy.random import Generator, default_rng
from onnx import TensorProto, helper, numpy_helper

from support_convert import assert_runs_alike

FAR = np.iinfo(np.int64).max
SIZES = (5, 7, 2)
X = default_rng(1).standard_normal(SIZES).astype(np.float32)


class Model:
    """Nodes that each take x, or x with open sizes, and constants; all of their outputs are the model's."""

    def __init__(self, opset: int) -> None:
        self._opset = opset
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        self._outputs: list[str] = []

    def add(self, op_type: str, constants: list[np.ndarray], outputs: int = 1, **attributes: object) -> None:
        number = len(self._nodes)
        names = [f"c{number}_{i}" for i in range(len(constants))]
        self._constants += [
            numpy_helper.from_array(array, name) for array, name in zip(constants, names, strict=True)
        ]
        made = [f"y{number}_{i}" for i in range(outputs)]
        self._outputs += made
        source = "open" if number % 2 else "x"
        self._nodes.append(helper.make_node(op_type, [source, *names], made, f"n{number}", **attributes))

    def check(self) -> None:
        sizes = {"x": SIZES, "open": ("N", "M", "K")}
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in sizes.items()
        ]
        outputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [None] * 3) for name in self._outputs
        ]
        graph = helper.make_graph(self._nodes, "g", inputs, outputs, self._constants)
        opsets = [helper.make_opsetid("", self._opset)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        assert_runs_alike(model, {"x": X, "open": X})


def int64s(values: object) -> np.ndarray:
    return np.array(values, np.int64)


def test_slices(scale: Callable[[int, int], int]) -> None:
    rng, model = default_rng(2), Model(opset=13)
    for _ in range(scale(300, 5000)):
        axes = rng.permutation(3)[: rng.integers(1, 4)]
        steps = rng.choice([-3, -2, -1, 1, 1, 2, 3], len(axes))
        starts, ends = bounds(rng, len(axes)), bounds(rng, len(axes))
        ends[(steps < 0) & (ends == FAR)] = -FAR
        signed = np.where(rng.random(len(axes)) < 0.5, axes, axes - 3)
        model.add("Slice", [starts, ends, int64s(signed), int64s(steps)])
    model.check()


def test_pads(scale: Callable[[int, int], int]) -> None:
    rng, model = default_rng(3), Model(opset=18)
    for _ in range(scale(100, 2000)):
        mode = str(rng.choice(["constant", "edge", "reflect"]))
        # What is cropped leaves something to be reflected.
        pads = int64s(
            rng.integers(
                0 if mode == "reflect" else -1, [5, 7, 2] * 2 if mode != "reflect" else [3, 3, 2] * 2
            )
        )
        pads[[2, 5]] = np.maximum(pads[[2, 5]], 0)
        model.add("Pad", [pads], mode=mode)
    model.check()


def test_splits(scale: Callable[[int, int], int]) -> None:
    rng, model = default_rng(4), Model(opset=13)
    for _ in range(scale(100, 2000)):
        axis = int(rng.integers(-3, 3))
        cuts = np.sort(rng.integers(0, SIZES[axis] + 1, rng.integers(0, 3)))
        sizes = np.diff([0, *cuts, SIZES[axis]])
        model.add("Split", [int64s(sizes)], outputs=len(sizes), axis=axis)
    model.check()


def bounds(rng: Generator, count: int) -> np.ndarray:
    return int64s([rng.choice([*range(-9, 10), FAR, -FAR]) for _ in range(count)])
