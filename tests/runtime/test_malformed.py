"""GE IR broken at random: brought back to ONNX, or refused in one line; never another error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.ge_ir import DataType, GeModel, ListOf, Node, Tensor, TensorDesc, verify
from support_cnn import random_cnn
from support_convert import refusal_of

VALUES: list[Any] = [
    3,
    -1,
    2.5,
    True,
    "zz",
    b"q",
    ListOf("int", []),
    ListOf("int", [1, 2]),
    ListOf("int", [1, 1, 9, 9]),
    ListOf("str", ["a"]),
    DataType.INT8,
    Tensor.of(np.zeros(0, np.float32)),
    Tensor.of(np.array([1, 2, 3])),
]
SHAPES = [None, (), (2,), (-1, 3, 8, 8)]


def broken(rng: np.random.Generator, node: Node, types: list[str]) -> Node:
    kind = rng.integers(7)
    if kind == 0:
        return replace(node, inputs=node.inputs[:-1])
    if kind == 1:
        return replace(node, inputs=[None if rng.random() < 0.4 else edge for edge in node.inputs])
    if kind == 2 and node.attrs:
        name = list(node.attrs)[rng.integers(len(node.attrs))]
        return replace(node, attrs={**node.attrs, name: VALUES[rng.integers(len(VALUES))]})
    if kind == 3:
        return replace(node, attrs={})
    if kind == 4:
        return replace(node, type=types[rng.integers(len(types))])
    if kind == 5:
        return replace(node, output_descs={**node.output_descs, "more": TensorDesc(DataType.INT4, None)})
    dtypes = list(DataType)
    descs = {
        port: TensorDesc(dtypes[rng.integers(len(dtypes))], SHAPES[rng.integers(len(SHAPES))])
        for port in node.output_descs
    }
    return replace(node, output_descs=descs)


def _verified_and_back(model: GeModel) -> None:
    verify([model.graph])
    converters.ge_to_onnx(model)


def test_broken_graphs_come_back_or_are_refused_in_one_line(scale: Callable[[int, int], int]) -> None:
    sources = [converters.onnx_to_ge(mpg.add_training_step(random_cnn(7, i).model)) for i in range(3)]
    types = sorted(
        {node.type for source in sources for node in source.graph.nodes} | {"Muls", "BiasAdd", "GEMM"}
    )
    outcomes = [0, 0]
    for index in range(scale(600, 20000)):
        rng = np.random.default_rng([12, index])
        source = sources[index % len(sources)]
        nodes = list(source.graph.nodes)
        place = rng.integers(len(nodes))
        nodes[place] = broken(rng, nodes[place], types)
        model = replace(source, graph=replace(source.graph, nodes=nodes))
        refused = refusal_of(partial(_verified_and_back, model), f"graph {index}") is not None
        outcomes[refused] += 1
    assert min(outcomes) > scale(100, 3000)
