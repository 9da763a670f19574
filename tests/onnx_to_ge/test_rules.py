"""Every rule: operators of GE by their prototypes, and the same bits on the way back."""

from __future__ import annotations

from typing import Any

import onnx
import pytest

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.ge_ops import prototypes
from maxpoolgrad_onnx.converters.ge_to_onnx import registry as way_back
from maxpoolgrad_onnx.converters.onnx_to_ge import registry
from support_convert import assert_runs_alike, computing, onnx_model, there, types_of
from support_prototypes import assert_as_prototype
from support_rules import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rule(case: Case) -> None:
    model = onnx_model(case.nodes, case.inputs, case.outputs, case.weights, case.opset)
    converted = assert_runs_alike(model)
    assert types_of(converted) == case.ge_types.split()
    for node in computing(converted):
        assert_as_prototype(node)
    last = computing(converted)[-1].attrs
    assert {name: _plain(last[name]) for name in case.attributes} == case.attributes


def test_a_reduction_over_no_axes_is_identity() -> None:
    """Not run: ONNX Runtime 1.17 fails on such a node."""
    model = onnx_model("y = ReduceSum<noop_with_empty_axes=1>(x)", "float[2,3] x", "float[a,b] y")
    assert types_of(there(model)) == ["Identity"]


@pytest.mark.parametrize(
    ("nodes", "type_", "ge_types", "opset"),
    [
        ("y = BatchNormalization(x, s, s, s, s)", "bfloat16", "Cast Cast Cast Cast BatchNorm", 15),
        ("y = LeakyRelu(x)", "bfloat16", "LeakyRelu", 16),
        ("y = Clip(x)", "bfloat16", "ClipByValue", 13),
        ("y = Pow(x, x)", "bfloat16", "Pow", 15),
        ("y = ReduceMean<axes=[1]>(x)", "bfloat16", "ReduceMean", 13),
        ("y = MatMul(x, x)", "bfloat16", "BatchMatMulV2", 13),
        ("y = AveragePool<kernel_shape=[2,2]>(x)", "double", "AvgPoolV2", 11),
        ("y = GlobalAveragePool(x)", "double", "GlobalAveragePool", 11),
    ],
)
def test_types_that_the_host_has_no_kernel_for(nodes: str, type_: str, ge_types: str, opset: int) -> None:
    inputs = f"{type_}[2,3,4,4] x, {type_}[3] s"
    model = onnx_model(nodes, inputs, f"{type_}[a,b,c,d] y", opset=opset)
    converted = there(model)
    assert types_of(converted) == ge_types.split()
    onnx.checker.check_model(converters.ge_to_onnx(converted), full_check=True)


def test_every_rule_has_a_case() -> None:
    tried: set[tuple[str, str]] = set()
    for case in CASES:
        model = onnx_model(case.nodes, case.inputs, case.outputs, case.weights, case.opset)
        tried |= {(node.domain, node.op_type) for node in model.graph.node}
    assert tried == set(registry.RULES)


def test_the_way_back_has_a_rule_for_all_that_conversion_writes() -> None:
    written = {type_ for case in CASES for type_ in case.ge_types.split()}
    assert written == set(way_back.RULES)
    assert written | {"Data", "Const"} == set(prototypes.PROTOTYPES)


def test_every_rule_says_what_becomes_what() -> None:
    for rule in {*registry.RULES.values(), *way_back.RULES.values()}:
        assert "become" in (rule.__doc__ or ""), rule


def _plain(value: Any) -> Any:
    return list(value.values) if isinstance(value, converters.ge_ir.ListOf) else value
