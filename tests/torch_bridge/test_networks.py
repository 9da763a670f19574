"""Networks as people train them, from torch to a step in ONNX and an .om: gradients, bits, sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from torch.nn import functional

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.torch_bridge import ExportedStep, export_training_step
from support_convert import assert_same_outputs
from support_networks import NETWORKS, Network, network
from support_ort import outputs_of

EXPORTERS = {"dynamo": True, "torch_script": False}


@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("name", NETWORKS)
def test_a_step_has_torchs_gradients_and_the_same_bits_as_an_om(
    name: str, exporter: str, tmp_path: Path, scale: Callable[[int, int], int]
) -> None:
    net = network(name)
    exported = export_training_step(
        net.module, torch.nn.CrossEntropyLoss(), [net.x], dynamo=EXPORTERS[exporter]
    )
    assert_no_decomposition(exported.step)
    assert dead_nodes(exported.step) == []
    assert_small(exported)
    feeds = feeds_of(net, exported)
    results = outputs_of(exported.step, feeds)
    assert_torchs_gradients(net, results)
    if exporter in ("torch_script", "dynamo")[: scale(1, 2)]:  # the same layers from both
        assert_same_bits_as_om(exported.step, feeds, results, tmp_path)


def assert_same_bits_as_om(
    step: onnx.ModelProto, feeds: dict[str, Array], results: dict[str, Array], folder: Path
) -> None:
    compiled = converters.compile(step, folder / "step", soc_version="Ascend910B1")
    session = converters.InferSession(0, compiled.om)
    names = [info.name for info in session.get_outputs()]
    assert_same_outputs(results, dict(zip(names, session.infer(feeds), strict=True)))


def feeds_of(net: Network, exported: ExportedStep) -> dict[str, Array]:
    state = exported.initial_state()
    (image,) = {value.name for value in exported.step.graph.input} - {*state, "labels", "learning_rate"}
    rate = np.array(0.1, np.float32)
    return {**state, image: net.x.numpy(), "labels": net.labels.numpy(), "learning_rate": rate}


def assert_torchs_gradients(net: Network, results: dict[str, Array]) -> None:
    """Every parameter's within 1e-4 of torch's; after one step from zero momenta, they are the momenta."""
    loss = functional.cross_entropy(net.module(net.x), net.labels)
    loss.backward()
    assert float(results["loss"]) == pytest.approx(float(loss.detach()), rel=1e-4)
    wanted = {name: p.grad.numpy() for name, p in net.module.named_parameters() if p.grad is not None}
    assert len(wanted) == len(list(net.module.parameters()))
    # A bias before a batch normalisation has gradient 0, of which both sides see rounding only.
    grain = 1e-6 * max(float(np.abs(gradient).max()) for gradient in wanted.values())
    for name, gradient in wanted.items():
        error = float(np.abs(results[f"{name}.momentum.updated"] - gradient).max())
        assert error <= 1e-4 * float(np.abs(gradient).max()) + grain, name


def assert_no_decomposition(step: onnx.ModelProto) -> None:
    for node in step.graph.node:
        assert node.op_type != "ScatterElements"
        assert node.op_type != "MaxPool" or len(node.output) == 1


def assert_small(exported: ExportedStep) -> None:
    """At most 2.5 times the forward nodes, of which a step has those alone that do something."""
    written = [node for node in exported.forward.graph.node if node.op_type not in ("Constant", "Identity")]
    names = {name for node in exported.forward.graph.node for name in node.output}
    forward = [node for node in exported.step.graph.node if names.intersection(node.output)]
    assert len(forward) <= len(written)
    assert len(exported.step.graph.node) <= 2.5 * len(forward)
    assert exported.step.graph.node[-1].op_type == "SGD"  # a step that gives gradients has a node less


def dead_nodes(model: onnx.ModelProto) -> list[str]:
    """Nodes whose outputs nothing reads."""
    read = {name for node in model.graph.node for name in node.input}
    read |= {value.name for value in model.graph.output}
    return [node.name for node in model.graph.node if not read.intersection(node.output)]
