"""The operator's named cases for a program that runs them, and what it must answer (run_cases.cc)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.contract import DATA_FORMATS, DTYPES, PADDING_MODES
from support import Case, same_bits
from support_cases import named_cases


def case_stream() -> str:
    """All legal calls, as run_cases.cc reads them."""
    return "\n".join(" ".join(map(str, _numbers(case))) for case, _ in named_cases())


def wrong_answers(answer: str, targets: Iterable[str]) -> list[str]:
    """The cases and targets whose line is missing or has other bits than the case."""
    lines = iter(answer.splitlines())
    wrong = []
    for case, out_grad in named_cases():
        for target in targets:
            name, *bits = next(lines, "").split(" ")
            found = np.array(bits, np.uint64).astype(f"u{out_grad.itemsize}").view(out_grad.dtype)
            if name != target or found.size != out_grad.size or not _equal(found, out_grad):
                wrong.append(f"{case.name} on {target}")
    return [*wrong, *lines]


def _equal(found: Array, expected: Array) -> bool:
    return same_bits(found.reshape(expected.shape), expected)


def _numbers(case: Case) -> list[Any]:
    a = {
        "padding_mode": "CALCULATED",
        "pads": [0] * 4,
        "data_format": "NCHW",
        "ceil_mode": 0,
    } | case.attributes
    kinds = [
        DTYPES.index(case.grad.dtype.name),
        PADDING_MODES.index(a["padding_mode"]),
        DATA_FORMATS.index(a["data_format"]),
        int(a["ceil_mode"]),
    ]
    shapes = [*case.orig_input.shape, *case.orig_output.shape]
    elements = [bits for array in case.inputs for bits in array.view(f"u{array.itemsize}").ravel().tolist()]
    return [*kinds, *a["ksize"], *a["strides"], *a["pads"], *shapes, *elements]
