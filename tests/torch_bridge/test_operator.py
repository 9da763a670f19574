"""The operator and its forward pass in torch: the native kernels' bits, autograd, layouts, refusals."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.torch_bridge import MaxPoolV3, max_pool_v3, max_pool_v3_grad
from support import Case, random_case, random_cases, same_bits

OVERLAPPING: dict[str, Any] = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2], "pads": [1, 1, 1, 1]}


def image(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(3)).to(dtype)


def test_the_bits_of_the_native_kernel() -> None:
    for case in random_cases(seed=41, count=60):
        wanted = mpg.max_pool_v3_grad(*case.inputs, **case.attributes)
        found = torch.ops.npu.max_pool_v3_grad(*map(torch.from_numpy, case.inputs), **case.attributes)
        assert same_bits(found.numpy(), wanted), case.name
        pooled = max_pool_v3(torch.from_numpy(case.orig_input), **case.attributes)
        assert same_bits(pooled.numpy(), mpg.max_pool_v3(case.orig_input, **case.attributes)), case.name


def test_torch_checks_schema_autograd_and_fake_kernel() -> None:
    x = image(2, 3, 9, 8).requires_grad_()
    attributes = {**OVERLAPPING, "ceil_mode": True}
    torch.library.opcheck(torch.ops.npu.max_pool_v3.default, (x,), attributes)
    y = max_pool_v3(x.detach(), **attributes)
    torch.library.opcheck(torch.ops.npu.max_pool_v3_grad.default, (x.detach(), y, y), attributes)


@pytest.mark.parametrize("ceil_mode", [False, True])
@pytest.mark.parametrize("size", [(7, 9), (8, 8), (3, 11)])
def test_pools_and_differentiates_as_torch_does(size: tuple[int, int], ceil_mode: bool) -> None:
    ours, theirs = (image(2, 3, *size).round(decimals=0).requires_grad_() for _ in range(2))  # many ties
    module = MaxPoolV3(**OVERLAPPING, ceil_mode=ceil_mode)
    y = module(functional.relu(ours))
    wanted = functional.max_pool2d(functional.relu(theirs), 3, 2, 1, ceil_mode=ceil_mode)
    assert torch.equal(y, wanted)
    weights = image(*wanted.shape)
    (y * weights).sum().backward()
    (wanted * weights).sum().backward()
    assert ours.grad is not None
    torch.testing.assert_close(ours.grad, theirs.grad)


def test_where_torch_differs() -> None:
    """NaN is no maximum here; in torch it is, and takes the gradient."""
    x = torch.tensor([[[[1.0, torch.nan], [3.0, 2.0]]]])
    window: dict[str, Any] = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}
    ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    y, wanted = max_pool_v3(ours, **window), functional.max_pool2d(theirs, 2)
    assert y.item() == 3.0
    assert wanted.isnan().all()
    y.sum().backward()
    wanted.sum().backward()
    assert ours.grad is not None
    assert theirs.grad is not None
    assert ours.grad.tolist() == [[[[0, 0], [1, 0]]]]
    assert theirs.grad.tolist() == [[[[0, 1], [0, 0]]]]


def test_float16_sums_are_made_in_float32() -> None:
    """torch adds float16 gradients one by one in float16, where 1024 + 0.5 is 1024."""
    x = torch.zeros(1, 1, 3, 3, dtype=torch.float16)
    x[..., 1, 1] = 1
    attributes: dict[str, Any] = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 1, 1]}
    gradient = torch.tensor([[[[1024, 0.5], [0.5, 0.5]]]], dtype=torch.float16)
    ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    max_pool_v3(ours, **attributes).backward(gradient)
    functional.max_pool2d(theirs, 2, 1).backward(gradient)
    assert ours.grad is not None
    assert theirs.grad is not None
    assert ours.grad[0, 0, 1, 1] == 1026
    assert theirs.grad[0, 0, 1, 1] == 1024


def test_any_memory_layout() -> None:
    plain = image(2, 4, 9, 6)
    y = max_pool_v3(plain, **OVERLAPPING)
    wanted = max_pool_v3_grad(plain, y, torch.ones_like(y), **OVERLAPPING)
    views = {
        "channels last": plain.contiguous(memory_format=torch.channels_last),
        "every second": torch.stack([plain, plain], -1).flatten(3)[..., ::2],
        "transposed": plain.transpose(2, 3).contiguous().transpose(2, 3),
        "negated twice": torch._neg_view(-plain),
    }
    for name, view in views.items():
        assert torch.equal(max_pool_v3(view, **OVERLAPPING), y), name
        expanded = torch.ones(1).expand(y.shape)
        assert torch.equal(max_pool_v3_grad(view, y, expanded, **OVERLAPPING), wanted), name


def test_open_sizes_stay_open() -> None:
    class Pool(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return max_pool_v3(x, **OVERLAPPING)

    batch = torch.export.Dim("batch")
    program = torch.export.export(Pool(), (image(2, 3, 8, 8),), dynamic_shapes=({0: batch},))
    assert program.module()(image(5, 3, 8, 8)).shape == (5, 3, 4, 4)


REFUSED = [
    ({"dtype": torch.float64}, {}, "float64"),
    ({"dtype": torch.bfloat16}, {}, "bfloat16"),
    ({}, {"ksize": [1, 1, 300, 3]}, "300"),
    ({}, {"global_pooling": True}, "global_pooling"),
]


@pytest.mark.parametrize(("tensor", "attributes", "named"), REFUSED)
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_refused_in_the_contracts_words(
    tensor: dict[str, Any], attributes: dict[str, Any], named: str, device: str
) -> None:
    x = image(1, 1, 4, 4, **tensor).to(device)
    with pytest.raises(mpg.MaxPoolGradError, match=named) as refused:
        max_pool_v3(x, **{**OVERLAPPING, **attributes})
    assert "max_pool_v3" in str(refused.value)


def test_a_module_refuses_when_it_is_made_and_shows_its_attributes() -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="ksize"):
        MaxPoolV3(strides=[1, 1, 2, 2])
    assert "pads=(1, 1, 1, 1)" in repr(MaxPoolV3(**OVERLAPPING))


def test_the_package_alone_imports_no_torch() -> None:
    code = """import sys, maxpoolgrad_onnx as mpg
mpg.add_training_step, mpg.make_model
assert 'torch' not in sys.modules"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_torch_a_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['torch'] = None; import maxpoolgrad_onnx.torch_bridge"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'maxpoolgrad[torch]'" in result.stderr.splitlines()[-1]


def test_random_cases_hold_both_dtypes() -> None:
    cases: list[Case] = [random_case(41, index) for index in range(60)]
    assert {np.dtype(case.orig_input.dtype).name for case in cases} == {"float16", "float32"}
