"""Calls the 950's plan and kernel, on the CPU twin, from NumPy arrays."""

from __future__ import annotations

import ctypes
import functools
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from support import Case
from support_twin import programs

MODES = ("CALCULATED", "SAME", "VALID")
CORES = 56  # of an Ascend950PR_9579
NARROW, WIDE = 3501, 3502  # tiling keys


class _Call(ctypes.Structure):
    _fields_ = [
        ("nhwc", ctypes.c_int64),
        ("padding_mode", ctypes.c_int64),
        ("ceil_mode", ctypes.c_int64),
        ("ksize", ctypes.c_int64 * 4),
        ("strides", ctypes.c_int64 * 4),
        ("pads", ctypes.c_int64 * 4),
        ("orig_input", ctypes.c_int64 * 4),
        ("orig_output", ctypes.c_int64 * 4),
        ("element_bytes", ctypes.c_int64),
        ("cores", ctypes.c_int64),
    ]


class Plan(ctypes.Structure):
    """What a test may change before it runs."""

    _fields_ = [
        ("tiling_key", ctypes.c_int64),
        ("block_dim", ctypes.c_int64),
        ("columns", ctypes.c_int64),
        ("depth", ctypes.c_int64),
        ("unit", ctypes.c_int64),
        ("units", ctypes.c_int64),
        ("paired", ctypes.c_int64),
    ]
    tiling_key: int
    block_dim: int
    columns: int
    depth: int
    unit: int
    units: int
    paired: int


class Counts(ctypes.Structure):
    _fields_ = [
        ("bytes_read", ctypes.c_int64),
        ("bytes_written", ctypes.c_int64),
        ("loads", ctypes.c_int64),
        ("stores", ctypes.c_int64),
        ("faults", ctypes.c_int64),
    ]
    bytes_read: int
    bytes_written: int
    loads: int
    stores: int
    faults: int


@dataclass(frozen=True)
class Outcome:
    out_grad: Array
    counts: Counts
    faults: str


@functools.cache
def _library() -> ctypes.CDLL:
    suffix = "dylib" if sys.platform == "darwin" else "so"
    library = ctypes.CDLL(str(programs() / f"libarch35_call.{suffix}"))
    library.arch35_over_stride.restype = ctypes.c_int64
    library.arch35_over_stride.argtypes = [ctypes.c_int64, ctypes.c_int64]
    return library


def _call(
    attributes: dict[str, Any], shape: tuple[int, ...], pooled: tuple[int, ...], size: int, cores: int
) -> _Call:
    four = ctypes.c_int64 * 4
    return _Call(
        nhwc=attributes.get("data_format", "NCHW") == "NHWC",
        padding_mode=MODES.index(attributes.get("padding_mode", "CALCULATED")),
        ceil_mode=attributes.get("ceil_mode", False),
        ksize=four(*attributes["ksize"]),
        strides=four(*attributes["strides"]),
        pads=four(*attributes.get("pads", [0] * 4)),
        orig_input=four(*shape),
        orig_output=four(*pooled),
        element_bytes=size,
        cores=cores,
    )


def plan(
    attributes: dict[str, Any], shape: tuple[int, ...], pooled: tuple[int, ...], size: int, cores: int = CORES
) -> Plan:
    """The plan for tensors of these shapes and of elements of `size` bytes."""
    numbers = Plan()
    _library().arch35_plan(ctypes.byref(_call(attributes, shape, pooled, size, cores)), ctypes.byref(numbers))
    return numbers


def plan_of(case: Case, cores: int = CORES) -> Plan:
    x, y = case.orig_input, case.orig_output
    return plan(case.attributes, x.shape, y.shape, x.itemsize, cores)


def run(case: Case, cores: int = CORES, numbers: Plan | None = None) -> Outcome:
    """The kernel on the twin, as planned or as `numbers` says. out_grad holds other values before."""
    numbers = plan_of(case, cores) if numbers is None else numbers
    x, y, g = (np.ascontiguousarray(tensor) for tensor in case.inputs)
    out = np.full(x.shape, 7, x.dtype)
    counts, said = Counts(), ctypes.create_string_buffer(4096)
    addresses = [ctypes.c_void_p(tensor.ctypes.data) for tensor in (x, y, g, out)]
    call = _call(case.attributes, x.shape, y.shape, x.itemsize, cores)
    room = ctypes.c_size_t(len(said))
    _library().arch35_run(
        ctypes.byref(call), ctypes.byref(numbers), *addresses, ctypes.byref(counts), said, room
    )
    return Outcome(out, counts, said.value.decode())


def over_stride(number: int, stride: int) -> int:
    quotient: int = _library().arch35_over_stride(number, stride)
    return quotient
