"""ONNX's own node tests: there, to the bytes of an .om, and back, run on each test's inputs."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from onnx import ModelProto, TensorProto, numpy_helper

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters.onnx_to_ge.registry import RULES
from maxpoolgrad_onnx.opsets import OLDEST_OPSET, default_opset, usual_domain
from support_convert import there
from support_ort import outputs_of


@dataclass(frozen=True)
class NodeTest:
    """A model of one node, or of the nodes that its function expands to, and its inputs by name."""

    name: str
    model: ModelProto
    feeds: Mapping[str, Array]


@dataclass
class Tally:
    """What became of the tests, by name; the refused with the reason, the different with what differs."""

    equal: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    different: dict[str, str] = field(default_factory=dict)
    not_run: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        converted = len(self.equal) + len(self.different)
        return (
            f"{converted} converted, {len(self.refused)} refused, {len(self.equal)} equal; "
            f"{len(self.not_run)} that ONNX Runtime itself cannot run"
        )


def node_tests() -> list[NodeTest]:
    """The node tests whose operators all have a rule, at opset 8 and above, tensors in and out."""
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():  # NumPy's, about overflows that the tests are made of
        warnings.simplefilter("ignore")
        cases = load_model_tests(kind="node")
    found = []
    for case in cases:
        feeds = _feeds(case.model, case.data_sets[0][0])
        if feeds is not None and _is_covered(case.model):
            found.append(NodeTest(case.name, case.model, feeds))
    return found


def with_constants(test: NodeTest) -> NodeTest | None:
    """The test with every input but the first as an initializer; None where there is one input alone."""
    if len(test.model.graph.input) < 2:
        return None
    first, *others = test.model.graph.input
    model = ModelProto()
    model.CopyFrom(test.model)
    del model.graph.input[1:]
    names = [value.name for value in others]
    model.graph.initializer.extend(numpy_helper.from_array(test.feeds[name], name) for name in names)
    return NodeTest(f"{test.name} (constants)", model, {first.name: test.feeds[first.name]})


def try_all(tests: Iterable[NodeTest]) -> Tally:
    """Run every test as it is and as it comes back; two results are equal by bits, dtype and shape."""
    tally = Tally()
    for test in tests:
        try:
            wanted = outputs_of(test.model, test.feeds)
        except Exception as error:  # ONNX Runtime's own have no common base
            tally.not_run[test.name] = str(error)
            continue
        try:
            back = converters.ge_to_onnx(there(test.model))
        except mpg.MaxPoolGradError as error:
            tally.refused[test.name] = str(error)
            continue
        difference = _difference(wanted, back, test.feeds)
        if difference:
            tally.different[test.name] = difference
        else:
            tally.equal.append(test.name)
    return tally


def _is_covered(model: ModelProto) -> bool:
    opset = default_opset(model)
    nodes = {(usual_domain(node.domain), node.op_type) for node in model.graph.node}
    return opset is not None and opset >= OLDEST_OPSET and nodes <= set(RULES)


def _feeds(model: ModelProto, inputs: list[Array | TensorProto]) -> dict[str, Array] | None:
    feeds = {}
    for value, given in zip(model.graph.input, inputs, strict=True):
        if isinstance(given, list) or given is None:
            return None
        feeds[value.name] = (
            numpy_helper.to_array(given) if isinstance(given, TensorProto) else np.asarray(given)
        )
    return feeds


def _difference(wanted: Mapping[str, Array], model: ModelProto, feeds: Mapping[str, Array]) -> str:
    try:
        found = outputs_of(model, feeds)
    except Exception as error:  # ONNX Runtime's own have no common base
        return str(error)
    if list(wanted) != list(found):
        return f"outputs {list(found)} instead of {list(wanted)}"
    for name, a in wanted.items():
        b = found[name]
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return f"{name}: {b.dtype}{b.shape} instead of {a.dtype}{a.shape}"
        if a.tobytes() != b.tobytes():
            return f"{name}: {np.count_nonzero(a != b)} of {a.size} elements"
    return ""
