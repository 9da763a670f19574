"""twin.max_pool_v3_grad: honest figures, and refusals in the contract's words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.contract import PoolAttributes
from maxpoolgrad_onnx.converters import twin
from maxpoolgrad_onnx.converters.bind import plan_launch, vector_cores
from support import Case, same_bits

POOL = {"ksize": (1, 1, 3, 3), "strides": (1, 1, 2, 2), "pads": (1, 1, 1, 1)}


def call(dtype: str = "float16", shape: tuple[int, ...] = (4, 16, 12, 12)) -> Case:
    rng = np.random.default_rng(3)
    x = rng.standard_normal(shape).astype(dtype)
    y = mpg.max_pool_v3(x, **POOL)
    return Case("call", dict(POOL), x, y, rng.standard_normal(y.shape).astype(dtype))


@pytest.mark.parametrize("soc_version", ["Ascend910B1", "Ascend950PR_9579"])
def test_every_memory_layout_gives_the_same(soc_version: str) -> None:
    case = call("float32")
    expected, _ = twin.max_pool_v3_grad(*case.inputs, **POOL, soc_version=soc_version)
    x, y, g = case.inputs
    strange = (np.asfortranarray(x), np.repeat(y, 2, axis=3)[..., ::2], g.astype(">f4"))
    result, _ = twin.max_pool_v3_grad(*strange, **POOL, soc_version=soc_version)
    assert result.tobytes() == expected.tobytes()
    assert result.dtype == np.dtype("float32")


def test_the_report_counts_what_moves() -> None:
    case = call()
    x, y, _ = case.inputs
    _, report = twin.max_pool_v3_grad(*case.inputs, **POOL)
    least = 2 * y.nbytes + x.nbytes
    assert report.bytes_read >= least
    assert report.bytes_written == x.nbytes
    assert report.traffic == report.bytes_read + report.bytes_written
    assert report.mean_burst == report.traffic / report.bursts
    assert report.vector_repeats > x.size / 128
    assert report.threads == 0
    assert report.cores == len(report.loads) <= vector_cores("Ascend910B1")
    assert sum(load.bytes_read for load in report.loads) == report.bytes_read
    assert sum(load.bytes_written for load in report.loads) == report.bytes_written
    assert sum(load.vector_repeats for load in report.loads) == report.vector_repeats
    assert sum(repeats for _, repeats in report.instructions.values()) == report.vector_repeats
    assert report.strategy in ("taps", "separable")
    assert report.figures()["bytes read"] == report.bytes_read


def test_the_950_runs_threads() -> None:
    _, report = twin.max_pool_v3_grad(*call().inputs, **POOL, soc_version="Ascend950PR_9579")
    assert report.threads > 0
    assert report.vector_repeats == 0
    assert report.strategy.startswith("gather")


def test_fewer_cores_do_the_same_work() -> None:
    case = call(shape=(4, 64, 12, 12))
    counts = [twin.max_pool_v3_grad(*case.inputs, **POOL, cores=cores)[1].cores for cores in (1, 3, None)]
    assert counts[0] == 1
    assert counts[1] <= 3
    assert counts[2] > 3


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"ksize": (1, 1, 256, 3)}, "max_pool_v3_grad: ksize is"),
        ({"soc_version": "Ascend310P3"}, "soc_version 'Ascend310P3' is not supported"),
        ({"soc_version": "Ascend910B9"}, "soc_version 'Ascend910B9' is not known here"),
        ({"cores": 0}, "cores is 0; Ascend910B1 has 1 to 48"),
        ({"cores": 49}, "cores is 49; Ascend910B1 has 1 to 48"),
    ],
)
def test_refusals(change: dict[str, object], found: str) -> None:
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        twin.max_pool_v3_grad(*call().inputs, **{**POOL, **change})  # type: ignore[arg-type]
    assert str(caught.value).startswith(found)


def test_wrong_arrays_are_refused_in_the_contracts_words() -> None:
    x, y, g = call().inputs
    with pytest.raises(mpg.MaxPoolGradError, match="the dtype of grad is float32"):
        twin.max_pool_v3_grad(x, y, g.astype(np.float32), **POOL)
    with pytest.raises(mpg.MaxPoolGradError, match="the shape of grad is"):
        twin.max_pool_v3_grad(x, y, g[:1], **POOL)


def test_the_twin_runs_what_the_launch_says() -> None:
    """Each number of a launch matters: the twin has no plan of its own."""
    case = call()
    x, y, _ = case.inputs
    attributes = PoolAttributes.make("test", POOL)
    launch = plan_launch(attributes, "float16", x.shape, y.shape, "Ascend910B1")
    out_grad, report = twin.run_launch(launch, "Ascend910B1", *case.inputs)
    assert report.faults == []
    assert same_bits(out_grad, mpg.max_pool_v3_grad(*case.inputs, **POOL))

    def kinds(**changes: object) -> set[str]:
        _, found = twin.run_launch(replace(launch, **changes), "Ascend910B1", *case.inputs)  # type: ignore[arg-type]
        assert all(fault.count >= 1 and fault.sentence for fault in found.faults)
        return {fault.kind for fault in found.faults}

    assert launch.block_dim > 1
    assert kinds(block_dim=1) == set()
    assert "output_not_written" in kinds(tiling_key=1)
    assert "tiling_too_short" in kinds(tiling_data=launch.tiling_data[:16])


def test_the_place_of_a_fault_is_the_kernels_line() -> None:
    case = call()
    x, y, _ = case.inputs
    launch = plan_launch(PoolAttributes.make("test", POOL), "float16", x.shape, y.shape, "Ascend910B1")
    _, report = twin.run_launch(replace(launch, tiling_data=b""), "Ascend910B1", *case.inputs)
    fault = next(fault for fault in report.faults if fault.kind == "tiling_too_short")
    assert fault.where.startswith("op_kernel/max_pool_v3_grad.cpp:")


@pytest.mark.parametrize("change", [{"symbol": "relu"}, {"block_dim": 0}, {"block_dim": 70000}])
def test_launches_of_other_kernels_are_refused(change: dict[str, object]) -> None:
    case = call()
    x, y, _ = case.inputs
    launch = plan_launch(PoolAttributes.make("test", POOL), "float16", x.shape, y.shape, "Ascend910B1")
    with pytest.raises(mpg.MaxPoolGradError, match="the launch is of kernel"):
        twin.run_launch(replace(launch, **change), "Ascend910B1", *case.inputs)  # type: ignore[arg-type]
