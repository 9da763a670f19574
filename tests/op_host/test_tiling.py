"""Tiling: checks everything again, hands the plan's bytes on, names workspace and block dim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from maxpoolgrad_onnx.contract import SUPPORTED_PRODUCTS, PoolAttributes
from maxpoolgrad_onnx.converters.bind import plan_launch
from support import random_case
from support_cann import Driver
from support_op_host import (
    A2,
    A2_SMALL,
    ASCEND_950,
    FAILED,
    POOL,
    REFUSED_ATTRIBUTES,
    REFUSED_DTYPES,
    REFUSED_SHAPES,
    SHAPES,
    UNKNOWN_RANK,
    Product,
    ask,
    refusal,
)

SYSTEM_WORKSPACE = 16 * 1024 * 1024


@pytest.mark.parametrize("product", [A2, A2_SMALL, replace(A2, cores=1)])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_plan_for_the_product_is_handed_on(op_host: Driver, product: Product, dtype: str) -> None:
    answer = ask(op_host, "tiling", dtypes=[dtype] * 3, product=product)
    assert answer["status"] == 0, answer["said"]
    assert answer["planned"]
    assert 0 < answer["block_dim"] <= product.cores
    assert 0 < answer["bytes"] <= 2048
    assert (answer["workspaces"], answer["workspace"]) == (1, SYSTEM_WORKSPACE)
    assert (answer["schedule_mode"], answer["local_memory"]) == (0, 0)  # no kernel waits for all cores


def test_the_950_keeps_its_largest_data_cache(overriding: Driver) -> None:
    answer = ask(overriding, "tiling", product=ASCEND_950)
    assert answer["status"] == 0, answer["said"]
    assert answer["planned"]
    assert answer["local_memory"] == ASCEND_950.ub - 128 * 1024


def test_python_plans_the_same(op_host: Driver, overriding: Driver, scale: Callable[[int, int], int]) -> None:
    """What an .om binds is what the tiling function gives on the processor that it is bound for."""
    for index in range(scale(40, 500)):
        case = random_case(31, index)
        x, y, _ = case.inputs
        dtype = x.dtype.name
        for driver, product, soc_version in (
            (op_host, A2, "Ascend910B1"),
            (op_host, A2_SMALL, "Ascend910_9362"),
            (overriding, ASCEND_950, "Ascend950PR_9589"),
        ):
            shapes = [array.shape for array in case.inputs]
            answer = ask(
                driver,
                "tiling",
                attributes=case.attributes,
                shapes=shapes,
                dtypes=[dtype] * 3,
                product=product,
            )
            attributes = PoolAttributes.make(case.name, case.attributes)
            launch = plan_launch(attributes, dtype, x.shape, y.shape, soc_version)
            assert answer["status"] == 0, answer["said"]
            assert launch.workspaces == (answer["workspace"],)
            found = (launch.tiling_key, launch.block_dim, len(launch.tiling_data), launch.schedule_mode)
            assert found == tuple(
                answer[key] for key in ("tiling_key", "block_dim", "bytes", "schedule_mode")
            )
            assert launch.local_memory_bytes == answer["local_memory"]


def test_random_cases_are_planned(
    op_host: Driver, overriding: Driver, scale: Callable[[int, int], int]
) -> None:
    for index in range(scale(40, 500)):
        case = random_case(29, index)
        dtype = case.orig_input.dtype.name
        for driver, product in ((op_host, A2), (overriding, ASCEND_950)):
            answer = ask(
                driver,
                "tiling",
                attributes=case.attributes,
                shapes=[list(array.shape) for array in case.inputs],
                dtypes=[dtype] * 3,
                product=product,
            )
            assert answer["status"] == 0, (case.name, answer["said"])
            assert answer["planned"], case.name
            assert 0 < answer["block_dim"] <= product.cores


@pytest.mark.parametrize("what", REFUSED_SHAPES)
def test_shapes_are_refused_in_the_contract_s_words(op_host: Driver, what: str) -> None:
    answer = ask(op_host, "tiling", shapes=REFUSED_SHAPES[what])
    assert (answer["status"], answer["said"]) == (FAILED, refusal(shapes=REFUSED_SHAPES[what]))


@pytest.mark.parametrize("what", REFUSED_ATTRIBUTES)
def test_attributes_are_refused_in_the_contract_s_words(op_host: Driver, what: str) -> None:
    attributes = POOL | REFUSED_ATTRIBUTES[what]
    answer = ask(op_host, "tiling", attributes=attributes)
    assert (answer["status"], answer["said"]) == (FAILED, refusal(attributes))


@pytest.mark.parametrize("what", REFUSED_DTYPES)
def test_types_are_refused_in_the_contract_s_words(op_host: Driver, what: str) -> None:
    answer = ask(op_host, "tiling", dtypes=REFUSED_DTYPES[what])
    assert (answer["status"], answer["said"]) == (FAILED, refusal(dtypes=REFUSED_DTYPES[what]))


@pytest.mark.parametrize("what", REFUSED_DTYPES)
def test_tiling_refuses_what_inference_left_to_it(neighbour: Driver, what: str) -> None:
    answer = ask(neighbour, "tiling", dtypes=REFUSED_DTYPES[what])
    assert (answer["status"], answer["said"]) == (FAILED, refusal(dtypes=REFUSED_DTYPES[what]))


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("unknown", [UNKNOWN_RANK, [2, 5, -1, 8]])
def test_nothing_may_be_unknown_any_more(op_host: Driver, place: int, unknown: list[int]) -> None:
    shapes = [list(shape) for shape in SHAPES]
    shapes[place] = unknown
    answer = ask(op_host, "tiling", shapes=shapes)
    assert answer["status"] == FAILED
    name = ["orig_input", "orig_output", "grad"][place]
    assert f"the shape of {name} is" in answer["said"]
    assert answer["said"].endswith("; to run, every dimension must be known")


@pytest.mark.parametrize(("soc", "name"), [(0, "Ascend910"), (2, "Ascend310P"), (3, "Ascend310B")])
def test_products_without_a_kernel_are_refused(op_host: Driver, soc: int, name: str) -> None:
    answer = ask(op_host, "tiling", product=replace(A2, soc=soc))
    supported = ", ".join(product for _, product in SUPPORTED_PRODUCTS)
    assert answer["status"] == FAILED
    assert answer["said"] == (
        f"EU1001 soc_version '{name}' is not supported by MaxPoolV3Grad; supported are {supported}"
    )


def test_without_kernels_for_it_the_950_is_no_product_of_the_package(op_host: Driver) -> None:
    answer = ask(op_host, "tiling", product=ASCEND_950)
    assert answer["status"] == FAILED
    assert "is not supported by MaxPoolV3Grad" in answer["said"]


@pytest.mark.parametrize("broken", [replace(A2, cores=0), replace(A2, ub=0), replace(A2, ub=-256)])
def test_a_damaged_platform_file_is_named(op_host: Driver, broken: Product) -> None:
    answer = ask(op_host, "tiling", product=broken)
    assert answer["status"] == FAILED
    assert f"the platform gives {broken.cores} vector cores and {broken.ub} B" in answer["said"]
