"""Requests to op_host_driver.cc, and what the contract says of the same node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.contract import ATTRIBUTES, PoolAttributes, check_dtypes, check_shapes, node_subject
from support_cann import Driver

NAME = "pool"
FAILED = 0xFFFFFFFF
UNKNOWN_RANK = [-2]
DTYPES = {"float32": 0, "float16": 1, "int32": 3, "float64": 11, "bfloat16": 27, "": 28}
"""Numbers of ge::DataType; "" is DT_UNDEFINED."""

POOL: dict[str, Any] = {"ksize": [1, 1, 3, 2], "strides": [1, 1, 2, 1], "pads": [1, 0, 1, 0]}
SHAPES = [[2, 5, 9, 8], [2, 5, 4, 8], [2, 5, 4, 8]]


@dataclass(frozen=True)
class Product:
    """A product as its platform file describes it; `soc` and `arch` are CANN's numbers."""

    soc: int
    arch: int
    cores: int
    ub: int


A2 = Product(soc=1, arch=2201, cores=48, ub=192 * 1024 - 256)
A2_SMALL = Product(soc=1, arch=2201, cores=40, ub=192 * 1024 - 256)
ASCEND_950 = Product(soc=4, arch=3510, cores=64, ub=248 * 1024)


def attribute_values(attributes: Mapping[str, Any]) -> list[Any]:
    """In the contract's order, as GE gives them: bools are bools, what is not written has its default."""
    values = []
    for name, kind, _, default in ATTRIBUTES:
        value = attributes.get(name, default)
        values.append(
            bool(value) if kind == "BOOL" else list(value) if isinstance(value, list | tuple) else value
        )
    return values


def ask(
    driver: Driver,
    call: str,
    *,
    attributes: Mapping[str, Any] = POOL,
    shapes: Sequence[Sequence[int]] = SHAPES,
    dtypes: Sequence[str] = ("float32",) * 3,
    product: Product = A2,
    values: list[Any] | None = None,
) -> dict[str, Any]:
    """`values` are the seven attributes where they are not to be made of `attributes`."""
    answer: dict[str, Any] = driver.ask(
        call=call,
        name=NAME,
        attributes=attribute_values(attributes) if values is None else values,
        shapes=[list(shape) for shape in shapes],
        dtypes=[DTYPES[name] for name in dtypes],
        platform=vars(product),
    )
    return answer


def refusal(
    attributes: Mapping[str, Any] = POOL,
    shapes: Sequence[Sequence[int]] = SHAPES,
    dtypes: Sequence[str] = ("float32",) * 3,
) -> str:
    """What the contract says of the node, as it is reported; "" where it lets it pass."""
    subject = node_subject(NAME)
    known = [None if list(shape) == UNKNOWN_RANK else list(shape) for shape in shapes]
    try:
        checked = PoolAttributes.make(subject, attributes)
        check_dtypes(subject, *dtypes)
        check_shapes(subject, checked, *known)
    except mpg.MaxPoolGradError as error:
        return f"EU1001 {error}"
    return ""


REFUSED_ATTRIBUTES: dict[str, dict[str, Any]] = {
    "ksize of two": {"ksize": [3, 2]},
    "ksize empty": {"ksize": []},
    "ksize on C": {"ksize": [1, 2, 3, 2]},
    "ksize 256": {"ksize": [1, 1, 256, 2]},
    "ksize 2**62": {"ksize": [1, 1, 2**62, 2]},
    "stride 0": {"strides": [1, 1, 0, 1]},
    "stride 64": {"strides": [1, 1, 2, 64]},
    "negative pad": {"pads": [1, -1, 1, 0]},
    "five pads": {"pads": [1, 0, 1, 0, 0]},
    "padding_mode": {"padding_mode": "NOTSET"},
    "data_format": {"data_format": "ND"},
    "global_pooling": {"global_pooling": True},
    "ceil_mode with VALID": {"padding_mode": "VALID", "ceil_mode": True},
}

REFUSED_SHAPES: dict[str, list[list[int]]] = {
    "3-D": [[5, 9, 8], [2, 5, 4, 8], [2, 5, 4, 8]],
    "a scalar": [[2, 5, 9, 8], [], [2, 5, 4, 8]],
    "5-D": [[2, 5, 9, 8], [2, 5, 4, 8], [2, 5, 1, 4, 8]],
    "grad of another shape": [[2, 5, 9, 8], [2, 5, 4, 8], [2, 5, 4, 7]],
    "another N": [[2, 5, 9, 8], [3, 5, 4, 8], [3, 5, 4, 8]],
    "another C": [[2, 5, 9, 8], [2, 6, 4, 8], [2, 6, 4, 8]],
    "another height": [[2, 5, 9, 8], [2, 5, 5, 8], [2, 5, 5, 8]],
    "another width": [[2, 5, 9, 8], [2, 5, 4, 9], [2, 5, 4, 9]],
    "a product beyond int64": [[2**32, 2**31, 9, 8], [2**32, 2**31, 4, 8], [2**32, 2**31, 4, 8]],
}

REFUSED_DTYPES: dict[str, tuple[str, str, str]] = {
    "int32": ("int32", "int32", "int32"),
    "float64": ("float64", "float64", "float64"),
    "bfloat16": ("bfloat16", "bfloat16", "bfloat16"),
    "mixed": ("float32", "float16", "float32"),
    "grad alone": ("float16", "float16", "float32"),
}
