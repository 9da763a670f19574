"""Both kernels, on each generation of products: the specification's bits and no fault, with 1, 3 and all
cores."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.converters import twin
from maxpoolgrad_onnx.converters.bind import vector_cores
from support import Case, random_cases, same_bits
from support_cases import named_cases
from support_larger import larger_cases

PRODUCTS = ("Ascend910B1", "Ascend910B4", "Ascend910_9391", "Ascend950PR_9579")

on_every_product = pytest.mark.parametrize("soc_version", PRODUCTS)


def check(case: Case, expected: Array, soc_version: str) -> int:
    """Returns how many cores have run where all of them might."""
    used = []
    for cores in (1, 3, None):
        out_grad, report = twin.max_pool_v3_grad(
            *case.inputs, **case.attributes, soc_version=soc_version, cores=cores
        )
        assert report.faults == [], (case.name, cores)
        assert same_bits(out_grad, expected), (case.name, cores)
        assert report.cores <= (cores or vector_cores(soc_version)), (case.name, cores)
        used.append(report.cores)
    return used[-1]


@on_every_product
def test_random_cases(soc_version: str, scale: Callable[[int, int], int]) -> None:
    for case in random_cases(PRODUCTS.index(soc_version), scale(200, 3000)):
        check(case, mpg.reference.max_pool_v3_grad(*case.inputs, **case.attributes), soc_version)


@on_every_product
def test_larger_cases(soc_version: str, scale: Callable[[int, int], int]) -> None:
    """Large enough for several cores, tiles, strips and boxes; the reference would take too long."""
    used = set()
    for case in larger_cases(2201 + PRODUCTS.index(soc_version), scale(60, 3000)):
        used.add(check(case, mpg.max_pool_v3_grad(*case.inputs, **case.attributes), soc_version))
    assert 1 in used
    assert max(used) > 20


@on_every_product
def test_named_cases(soc_version: str) -> None:
    for case, out_grad in named_cases():
        check(case, out_grad, soc_version)
