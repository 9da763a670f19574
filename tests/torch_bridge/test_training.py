"""From a module to a step: what is trained, losses of torch.nn, open batches, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.gradient import SGD
from maxpoolgrad_onnx.torch_bridge import ExportedStep, export_forward, export_training_step
from support_ort import outputs_of


class Net(torch.nn.Module):
    """A convolution, a scale that is a buffer, batch normalisation and a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.bn = torch.nn.Conv2d(1, 3, 3), torch.nn.BatchNorm2d(3)
        self.dense = torch.nn.Linear(3, 4)
        self.register_buffer("scale", torch.full((1, 3, 1, 1), 2.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = functional.max_pool2d(torch.relu(self.bn(self.conv(x))), 2) * self.scale
        return self.dense(h.mean((2, 3)))


def images(count: int = 6) -> torch.Tensor:
    return torch.randn(count, 1, 8, 8, generator=torch.Generator().manual_seed(1))


def names(exported: Any) -> set[str]:
    return {name.removesuffix(".updated") for name in (v.name for v in exported.step.graph.output)}


@pytest.fixture(scope="module", params=[True, False], ids=["dynamo", "torch_script"])
def exported(request: pytest.FixtureRequest) -> ExportedStep:
    """In training mode, with a parameter that requires no gradient, and one that is frozen."""
    net = Net().train()
    net.dense.bias.requires_grad_(False)
    options: dict[str, Any] = {"optimizer": SGD(momentum=0.0), "frozen": ["conv.b*"]}
    return export_training_step(net, "softmax_cross_entropy", [images()], dynamo=request.param, **options)


def test_trains_what_requires_a_gradient(exported: ExportedStep) -> None:
    assert names(exported) == {
        *("loss", "conv.weight", "bn.weight", "bn.bias", "dense.weight"),
        *("bn.running_mean", "bn.running_var"),
    }
    assert set(exported.initial_state()) == names(exported) - {"loss"}


def test_training_mode_normalises_by_the_batch(exported: ExportedStep) -> None:
    """What torch's dynamo exporter, left alone, writes as if for evaluation."""
    (node,) = [node for node in exported.forward.graph.node if node.op_type == "BatchNormalization"]
    assert {a.name: a.i for a in node.attribute}["training_mode"] == 1


def test_evaluation_mode_leaves_the_statistics() -> None:
    exported = export_training_step(Net().eval(), "softmax_cross_entropy", [images()], dynamo=False)
    assert not any("running" in name for name in names(exported))


LOSSES: list[tuple[torch.nn.Module, str]] = [
    (torch.nn.CrossEntropyLoss(label_smoothing=0.1), "labels"),
    (torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5, 1.0]), ignore_index=1), "labels"),
    (torch.nn.MSELoss(), "targets"),
    (torch.nn.BCEWithLogitsLoss(), "targets"),
]


@pytest.mark.parametrize(("loss", "target"), LOSSES)
def test_losses_of_torch(loss: torch.nn.Module, target: str) -> None:
    net, x = Net().eval(), images()
    wanted = torch.tensor([0, 1, 2, 3, 1, 0]) if target == "labels" else torch.rand(6, 4)
    exported = export_training_step(net, loss, [x], dynamo=False, outputs="grads")
    results = outputs_of(exported.step, {**exported.initial_state(), "x": x.numpy(), target: wanted.numpy()})
    value = loss(net(x), wanted)
    value.backward()
    assert float(results["loss"]) == pytest.approx(float(value.detach()), rel=1e-5)
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None
        np.testing.assert_allclose(results[f"{name}.grad"], parameter.grad.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("dynamo", [True, False])
def test_an_open_batch(dynamo: bool) -> None:
    net = Net().eval()
    model = export_forward(net, [images()], dynamo=dynamo, dynamic_batch=True)
    x = images(3)
    (found,) = outputs_of(model, {"x": x.numpy()}).values()
    with torch.no_grad():
        np.testing.assert_allclose(found, net(x).numpy(), rtol=1e-4, atol=1e-5)


def test_equal_parameters_stay_apart() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)).eval()
    for layer in net:
        torch.nn.init.ones_(layer.weight)
        torch.nn.init.zeros_(layer.bias)
    for dynamo in (True, False):
        model = export_forward(net, [torch.randn(2, 4)], dynamo=dynamo)
        assert {t.name for t in model.graph.initializer} >= {name for name, _ in net.named_parameters()}


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    (torch.nn.L1Loss(), {}, "loss is a L1Loss"),
    (torch.nn.MSELoss(reduction="sum"), {}, "MSELoss has reduction 'sum'; 'mean' is allowed"),
    (torch.nn.BCEWithLogitsLoss(pos_weight=torch.ones(4)), {}, "BCEWithLogitsLoss has pos_weight"),
    ("mse", {"opset_version": 20}, "opset_version is 20"),
]


@pytest.mark.parametrize(("loss", "options", "reason"), REFUSED)
def test_refused(loss: Any, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match=reason):
        export_training_step(Net().eval(), loss, [images()], dynamo=False, **options)


@pytest.mark.parametrize(
    ("module", "inputs", "reason"),
    [
        (lambda x: x, [images()], "module is a function; it must be a torch.nn.Module"),
        (Net(), images(), "example_inputs is a Tensor; it must be a tuple of tensors, one for each argument"),
        (Net(), [], "example_inputs is a list of nothing; it must be"),
        (Net(), (images(), 3), "example_inputs is a tuple of Tensor, int; it must be"),
    ],
)
def test_what_is_no_module_and_no_tensors(module: Any, inputs: Any, reason: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match=reason):
        export_training_step(module, "mse", inputs)


def test_what_torch_cannot_export_is_one_sentence() -> None:
    class Odd(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.special.bessel_j0(x)

    with pytest.raises(mpg.MaxPoolGradError, match=r"torch.onnx.export\(dynamo=False\) cannot export Odd: "):
        export_forward(Odd(), [images()], dynamo=False)
