"""Graphs put together in memory that must not reach a file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from maxpoolgrad_onnx.converters.ge_ir import (
    DataType,
    Edge,
    GeModel,
    Graph,
    ListOf,
    Node,
    Tensor,
    TensorDesc,
    in_topological_order,
)
from maxpoolgrad_onnx.errors import MaxPoolGradError
from support_ge import small_model

MODEL = small_model()
X, FILTERS, STEPS, CONV, OUT = MODEL.graph.nodes
WEIGHTS = FILTERS.attrs["value"]
assert isinstance(WEIGHTS, Tensor)


def with_nodes(*nodes: Node) -> GeModel:
    return replace(MODEL, graph=replace(MODEL.graph, nodes=nodes, outputs=[]))


def constant(desc: TensorDesc, data: Any) -> Node:
    return replace(FILTERS, attrs={"value": Tensor(desc, data)})


BAD = [
    (with_nodes(X, FILTERS, STEPS, OUT, CONV), "node 'out': it stands before its input 'conv'"),
    (with_nodes(X, FILTERS, CONV, STEPS, OUT), "node 'conv': it stands before its input 'steps'"),
    (with_nodes(X, X, FILTERS, STEPS, CONV, OUT), "two of its nodes are called 'x'; rename one"),
    (with_nodes(replace(X, name="")), "one of its nodes has no name"),
    (with_nodes(replace(X, type="")), "node 'x': it has no type"),
    (with_nodes(replace(X, output_descs={})), "node 'x': it has no output"),
    (with_nodes(replace(X, attrs={"index": True})), "node 'x': its 'index' is 'True'"),
    (
        with_nodes(X, replace(X, name="z")),
        "node 'z': its 'index' is 0; so is that of 'x'",
    ),
    (replace(MODEL, graph=Graph("g", [], [Edge("x")])), "graph 'g': it takes from the node 'x'"),
    (replace(MODEL, graph=Graph("g", [X], [Edge("x", 1)])), "it takes output 1 of 'x'; that node has 1"),
    (
        replace(MODEL, graph=replace(MODEL.graph, outputs=[Edge("x")])),
        "its outputs are not what its NetOutput",
    ),
    (replace(MODEL, subgraphs=[MODEL.graph]), "two of its graphs are called 'graph'"),
    (with_nodes(replace(FILTERS, attrs={"value": 1.0})), "node 'filters': it has no weights"),
    (with_nodes(constant(TensorDesc(DataType.FLOAT, (-1,)), np.zeros(2, np.float32))), "is not known"),
    (with_nodes(constant(TensorDesc(DataType.FLOAT, None), np.zeros(2, np.float32))), "is not known"),
    (
        with_nodes(constant(TensorDesc(DataType.FLOAT, (2,)), np.zeros(2, np.float16))),
        "are float16 of shape [2]",
    ),
    (
        with_nodes(constant(TensorDesc(DataType.FLOAT, (3,)), np.zeros(2, np.float32))),
        "described are float32 of",
    ),
    (with_nodes(constant(TensorDesc(DataType.INT4, (3,)), np.zeros(3, np.uint8))), "has 3 bytes of weights"),
    (
        with_nodes(replace(X, attrs={"index": 0, "list": [1, 2]})),
        "'list' cannot be written: its value is a list",
    ),
    (with_nodes(replace(X, attrs={"index": 2**63})), "node 'x': attribute 'index' cannot be written"),
    (
        with_nodes(replace(X, attrs={"index": 0, "l": ListOf("int", ["1"])})),
        "attribute 'l' cannot be written",
    ),
    (with_nodes(replace(X, name="\ud800")), "it cannot be written"),
]


@pytest.mark.parametrize(("model", "words"), BAD, ids=[words for _, words in BAD])
def test_refused(model: GeModel, words: str) -> None:
    with pytest.raises(MaxPoolGradError) as error:
        model.to_bytes()
    assert words in str(error.value)


def test_graphs_may_call_one_graph_twice_but_not_themselves() -> None:
    leaf, middle = Graph("leaf"), Graph("middle", [Node("a", "Call", subgraphs=["leaf"])])
    calls = [Node("a", "Call", subgraphs=["middle", "leaf"]), Node("b", "Call", subgraphs=["leaf"])]
    GeModel("m", Graph("root", calls), subgraphs=[leaf, middle]).to_bytes()
    loop = replace(leaf, nodes=[Node("a", "Call", subgraphs=["middle"])])
    with pytest.raises(MaxPoolGradError, match="it calls itself"):
        GeModel("m", Graph("root", calls), subgraphs=[loop, middle]).to_bytes()


def test_order_moves_only_what_must_move() -> None:
    shuffled = replace(MODEL.graph, nodes=[OUT, STEPS, X, CONV, FILTERS])
    assert in_topological_order(shuffled).nodes == (STEPS, X, FILTERS, CONV, OUT)
    assert in_topological_order(MODEL.graph) is MODEL.graph


def test_a_long_chain_is_ordered_and_verified() -> None:
    desc = TensorDesc(DataType.FLOAT, ())
    chain = [Node("0", "Data", [], {"x": desc}, {"y": desc}, {"index": 0})]
    chain += [Node(str(i), "Relu", [Edge(str(i - 1))], {"x": desc}, {"y": desc}) for i in range(1, 5000)]
    ordered = in_topological_order(Graph("g", chain[::-1], [Edge("4999")]))
    assert ordered.nodes == tuple(chain)
    GeModel("m", ordered).to_wire()


def test_a_long_or_wild_name_stays_on_one_short_line() -> None:
    with pytest.raises(MaxPoolGradError) as error:
        with_nodes(replace(X, type="", name="a\n\x1b[31m" + "b" * 10_000)).to_bytes()
    assert "\n" not in str(error.value)
    assert "\x1b" not in str(error.value)
    assert len(str(error.value)) < 200
