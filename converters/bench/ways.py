"""What is measured: the operator, the roof, and what it is to stand beside."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import _native
from maxpoolgrad_onnx.contract import INPUT_NAMES, OUTPUT_NAME
from maxpoolgrad_onnx.errors import MaxPoolGradError

from .data import Tensors, distinct_tensors, tensors_of
from .libraries import Call, Peer, imported, jax_peers, tensorflow_peers, torch_peers
from .names import FLOAT32, KERNEL, LIBRARIES, ONE_THREAD, OURS, ROOF, ROOF_ALONE, SCALAR, SESSION

PEERS = {"torch": torch_peers, "tensorflow": tensorflow_peers, "jax": jax_peers}


def ways(tensors: Tensors, data: str, threads: int, beside: Sequence[str] = ()) -> dict[str, list[Call]]:
    """By name, what to measure; where a name has several ways, the fastest counts.

    Ours writes to an array that is there (`out=`), as the roof does. The forward pass is part of what the
    other libraries do except with indices, which the operator does not get.

    Args:
        tensors: the workload's.
        data: what they were made of.
        threads: how many each way may use.
        beside: of names.BESIDE, what else to measure; without any, the libraries that are installed.

    Raises:
        MaxPoolGradError: a library that is named and not installed, or that computes something else.
    """
    found = {OURS: [ours(tensors, threads)], ROOF: list(_roof(tensors, threads))}
    for name in beside or [library for library in LIBRARIES if imported(library) is not None]:
        if name in LIBRARIES:
            found |= {peer.name: [peer.call] for peer in _peers(name, tensors, threads)}
        elif name == SESSION:
            found[name] = [_in_session(tensors, threads)]
        elif name == SCALAR:
            found |= {KERNEL: [_kernel(tensors, threads)], name: [_kernel(tensors, threads, SCALAR)]}
        elif name == ONE_THREAD:
            found |= {name: [ours(tensors, 1)], ROOF_ALONE: list(_roof(tensors, 1))}
        else:
            found[name] = [ours(_in_float32(tensors, data), threads)]
    return found


def ours(tensors: Tensors, threads: int) -> Call:
    """The operator."""
    inputs = tensors.orig_input, tensors.orig_output, tensors.grad
    return lambda: mpg.max_pool_v3_grad(*inputs, **tensors.attributes, threads=threads, out=tensors.out_grad)


def _roof(tensors: Tensors, threads: int) -> Iterator[Call]:
    """What moves the same bytes, in twelve ways.

    Stores through and past the caches, memory asked for ahead or not, one place or several in turn.
    """
    arrays = tensors.orig_input, tensors.orig_output, tensors.grad, tensors.out_grad
    for way in itertools.product((False, True), (False, True), (1, 2, 4)):
        yield partial(_native.move_bytes, *arrays, *way, threads)


def _in_session(tensors: Tensors, threads: int) -> Call:
    """The operator inside ONNX Runtime, which reads and writes the arrays where they are."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    model = mpg.make_model(
        tensors.orig_input.shape,
        dtype=tensors.grad.dtype.name,
        output_shape=tensors.orig_output.shape,
        **tensors.attributes,
    )
    session = mpg.inference_session(model, sess_options=options)
    binding: Any = session.io_binding()
    for name, array in zip(INPUT_NAMES, (tensors.orig_input, tensors.orig_output, tensors.grad), strict=True):
        binding.bind_input(name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
    to = tensors.out_grad
    binding.bind_output(OUTPUT_NAME, "cpu", 0, to.dtype, to.shape, to.ctypes.data)
    return lambda: session.run_with_iobinding(binding)


def _kernel(tensors: Tensors, threads: int, target: str = "") -> Call:
    pool = _native.Pool(tensors.attributes)
    arrays = tensors.orig_input, tensors.orig_output, tensors.grad, tensors.out_grad
    return lambda: pool.gradient(*arrays, threads, target)


def _in_float32(tensors: Tensors, data: str) -> Tensors:
    return tensors_of(tensors.workload, FLOAT32, tensors.attributes["data_format"], data)


def _peers(library: str, tensors: Tensors, threads: int) -> list[Peer]:
    module = imported(library)
    if module is None:
        raise MaxPoolGradError(f"{library} cannot be imported; install it, or leave it out of --beside")
    make = PEERS[library]
    small = distinct_tensors(tensors.workload, tensors.grad.dtype.name, tensors.attributes["data_format"])
    ours(small, 1)()
    for peer in make(module, small, threads):
        if not np.array_equal(peer.result(peer.call()), small.out_grad):
            raise MaxPoolGradError(
                f"{peer.name} {module.__version__} computes another gradient than the operator on "
                f"{small.workload.name}; leave {library} out of --beside"
            )
    return list(make(module, tensors, threads))
