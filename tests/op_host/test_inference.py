"""Shape and type inference: unknown ranks and dimensions, every refusal in the contract's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from support import random_case
from support_cann import Driver
from support_op_host import (
    DTYPES,
    FAILED,
    POOL,
    REFUSED_ATTRIBUTES,
    REFUSED_DTYPES,
    REFUSED_SHAPES,
    SHAPES,
    UNKNOWN_RANK,
    ask,
    attribute_values,
    refusal,
)


def test_the_output_has_the_input_s_shape(op_host: Driver) -> None:
    answer = ask(op_host, "shape")
    assert (answer["status"], answer["output"], answer["said"]) == (0, SHAPES[0], "")


def test_random_cases_pass(op_host: Driver, scale: Callable[[int, int], int]) -> None:
    for index in range(scale(60, 1000)):
        case = random_case(17, index)
        shapes = [list(array.shape) for array in case.inputs]
        answer = ask(op_host, "shape", attributes=case.attributes, shapes=shapes)
        assert (answer["status"], answer["output"]) == (0, shapes[0]), (case.name, answer["said"])


UNKNOWN: dict[str, tuple[list[Sequence[int]], list[int]]] = {
    "batch": ([[-1, 5, 9, 8], [-1, 5, 4, 8], [-1, 5, 4, 8]], [-1, 5, 9, 8]),
    "height and width": ([[2, 5, -1, -1], [2, 5, -1, -1], [2, 5, -1, -1]], [2, 5, -1, -1]),
    "all": ([[-1] * 4] * 3, [-1] * 4),
    "one side": ([[2, 5, 9, 8], [2, -1, 4, -1], [-1, 5, -1, 8]], [2, 5, 9, 8]),
    "rank of the outputs": ([SHAPES[0], UNKNOWN_RANK, UNKNOWN_RANK], SHAPES[0]),
    "rank of orig_input": ([UNKNOWN_RANK, SHAPES[1], SHAPES[2]], [-1] * 4),
    "every rank": ([UNKNOWN_RANK] * 3, [-1] * 4),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_is_unknown_stays_unknown(op_host: Driver, what: str) -> None:
    shapes, output = UNKNOWN[what]
    answer = ask(op_host, "shape", shapes=shapes)
    assert (answer["status"], answer["output"]) == (0, output), answer["said"]


def test_what_is_known_beside_the_unknown_is_checked(op_host: Driver) -> None:
    rng = np.random.default_rng(2)
    refused = 0
    for what, shapes in REFUSED_SHAPES.items():
        for _ in range(20):
            hidden = [[-1 if rng.random() < 0.3 else dim for dim in shape] for shape in shapes]
            hidden = [UNKNOWN_RANK if rng.random() < 0.1 else shape for shape in hidden]
            expected = refusal(shapes=hidden)
            answer = ask(op_host, "shape", shapes=hidden)
            assert answer["said"] == expected, what
            assert answer["status"] == (FAILED if expected else 0)
            refused += bool(expected)
    assert 40 < refused < 180


@pytest.mark.parametrize("what", REFUSED_SHAPES)
def test_shapes_are_refused_in_the_contract_s_words(op_host: Driver, what: str) -> None:
    answer = ask(op_host, "shape", shapes=REFUSED_SHAPES[what])
    assert answer["status"] == FAILED
    assert answer["said"] == refusal(shapes=REFUSED_SHAPES[what]) != ""


@pytest.mark.parametrize("what", REFUSED_ATTRIBUTES)
def test_attributes_are_refused_in_the_contract_s_words(op_host: Driver, what: str) -> None:
    attributes = POOL | REFUSED_ATTRIBUTES[what]
    answer = ask(op_host, "shape", attributes=attributes, shapes=[UNKNOWN_RANK] * 3)
    assert answer["status"] == FAILED
    assert answer["said"] == refusal(attributes, [UNKNOWN_RANK] * 3) != ""


@pytest.mark.parametrize("place", [0, 1])
def test_a_required_attribute_that_is_not_set_is_refused(op_host: Driver, place: int) -> None:
    values = attribute_values(POOL)
    values[place] = None
    name = ["ksize", "strides"][place]
    answer = ask(op_host, "shape", values=values)
    assert answer["said"] == refusal({key: value for key, value in POOL.items() if key != name})


def test_an_optional_attribute_that_is_not_set_has_its_default(op_host: Driver) -> None:
    values = [POOL["ksize"], POOL["strides"], None, None, None, None, None]
    assert ask(op_host, "shape", values=values)["said"] == refusal(POOL | {"pads": [0, 0, 0, 0]}) != ""


@pytest.mark.parametrize("dtype", ["float16", "float32", ""])
def test_the_output_has_the_input_s_type(op_host: Driver, dtype: str) -> None:
    answer = ask(op_host, "dtype", dtypes=[dtype] * 3)
    assert (answer["status"], answer["output"]) == (0, DTYPES[dtype])


@pytest.mark.parametrize("what", REFUSED_DTYPES)
def test_types_are_refused_in_the_contract_s_words(op_host: Driver, what: str) -> None:
    answer = ask(op_host, "dtype", dtypes=REFUSED_DTYPES[what])
    assert answer["status"] == FAILED
    assert answer["said"] == refusal(dtypes=REFUSED_DTYPES[what]) != ""


def test_where_cann_s_own_kernel_stays_inference_refuses_nothing_of_its(neighbour: Driver) -> None:
    """Other people's models: other types, global pooling, sizes that this operator would not take."""
    for dtypes in REFUSED_DTYPES.values():
        answer = ask(neighbour, "dtype", dtypes=dtypes)
        assert (answer["status"], answer["output"], answer["said"]) == (0, DTYPES[dtypes[0]], "")
    for attributes in REFUSED_ATTRIBUTES.values():
        assert ask(neighbour, "shape", attributes=POOL | attributes)["output"] == SHAPES[0]
    for shapes in REFUSED_SHAPES.values():
        answer = ask(neighbour, "shape", shapes=shapes)
        assert (answer["status"], answer["output"], answer["said"]) == (0, shapes[0], "")
