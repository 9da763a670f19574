"""Forward networks as torch exports them: what the .om gives on the host has ONNX Runtime's bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.torch_bridge import export_forward
from support_networks import network
from support_ort import outputs_of

NETWORKS = (
    *("alexnet", "vgg11", "resnet18", "squeezenet", "googlenet"),
    *("densenet", "mobilenet_v2", "unet"),
)


@pytest.mark.parametrize("name", NETWORKS)
def test_an_om_has_the_bits_of_onnxruntime(name: str, tmp_path: Path) -> None:
    net = network(name)
    module = net.module.eval()
    model = export_forward(module, [net.x], dynamo=False)
    compiled = converters.compile(model, tmp_path / name, soc_version="Ascend910B1")
    (found,) = converters.InferSession(0, compiled.om).infer([net.x.numpy()])
    (wanted,) = outputs_of(model, {"input": net.x.numpy(), "x": net.x.numpy()}).values()
    assert found.tobytes() == wanted.tobytes()
    with torch.no_grad():
        np.testing.assert_allclose(found, module(net.x).numpy(), rtol=1e-4, atol=1e-4)
