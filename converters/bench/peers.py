"""What is measured: the operator, the roof, and the max pooling of whichever other library is installed."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import _native

from .workloads import Tensors

Call = Callable[[], object]

OURS = "maxpoolgrad"
ROOF = "roof"


def calls(tensors: Tensors, threads: int) -> dict[str, list[Call]]:
    """By name, what to measure; where a name has several ways, the fastest counts.

    Ours writes to an array that is there (`out=`), as the roof does. The forward pass is part of what the
    other libraries do except with indices, which the operator does not get.
    """
    found = {OURS: [_ours(tensors, threads)], ROOF: list(_roof(tensors))}
    for library, add in (("torch", _torch), ("tensorflow", _tensorflow), ("jax", _jax)):
        module = _imported(library)
        if module is not None:
            found |= {name: [call] for name, call in add(module, tensors, threads)}
    return found


def _imported(library: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError:
        return None


def _ours(tensors: Tensors, threads: int) -> Call:
    inputs = tensors.orig_input, tensors.orig_output, tensors.grad
    return lambda: mpg.max_pool_v3_grad(*inputs, **tensors.attributes, threads=threads, out=tensors.out_grad)


def _roof(tensors: Tensors) -> Iterator[Call]:
    """One thread that moves the same bytes, in twelve ways.

    Stores through and past the caches, memory asked for ahead or not, one place or several in turn.
    """
    arrays = tensors.orig_input, tensors.orig_output, tensors.grad, tensors.out_grad
    for way in itertools.product((False, True), (False, True), (1, 2, 4)):
        yield partial(_native.move_bytes, *arrays, *way)


def _nchw(tensors: Tensors, array: Any) -> Any:
    return array if tensors.attributes["data_format"] == "NCHW" else array.transpose(0, 3, 1, 2)


def _torch(torch: Any, tensors: Tensors, threads: int) -> Iterator[tuple[str, Call]]:
    torch.set_num_threads(threads)
    w = tensors.workload
    pool = torch.nn.functional.max_pool2d
    window = w.kernel, w.stride, w.pad
    x = torch.from_numpy(_nchw(tensors, tensors.orig_input))
    g = torch.from_numpy(_nchw(tensors, tensors.grad))

    def forward_and_backward(x: Any, g: Any) -> Call:
        x.requires_grad_()

        def call() -> None:
            x.grad = None
            pool(x, *window).backward(g)

        return call

    for name, layout in (("NCHW", torch.contiguous_format), ("channels_last", torch.channels_last)):
        copies = (tensor.detach().clone(memory_format=layout) for tensor in (x, g))
        yield f"torch {name}", forward_and_backward(*copies)
    plain, grad = x.contiguous(), g.contiguous()
    indices = pool(plain, *window, return_indices=True)[1]
    backward = torch.ops.aten.max_pool2d_with_indices_backward
    kernel, stride, pad = ([value] * 2 for value in window)
    yield "torch with indices", lambda: backward(grad, plain, kernel, stride, pad, [1, 1], False, indices)


def _tensorflow(tensorflow: Any, tensors: Tensors, threads: int) -> Iterator[tuple[str, Call]]:
    w = tensors.workload
    nhwc = tensors.attributes["data_format"] == "NHWC"
    x = tensors.orig_input if nhwc else tensors.orig_input.transpose(0, 2, 3, 1)
    g = tensors.grad if nhwc else tensors.grad.transpose(0, 2, 3, 1)
    x, g = tensorflow.constant(x), tensorflow.constant(g)
    padding = [[0, 0], [w.pad] * 2, [w.pad] * 2, [0, 0]]

    def gradient(x: Any, g: Any) -> Any:
        with tensorflow.GradientTape() as tape:
            tape.watch(x)
            y = tensorflow.nn.max_pool2d(x, w.kernel, w.stride, padding if w.pad else "VALID")
        return tape.gradient(y, x, g)

    compiled = tensorflow.function(gradient)
    yield "tensorflow", lambda: compiled(x, g).numpy()


def _jax(jax: Any, tensors: Tensors, threads: int) -> Iterator[tuple[str, Call]]:
    w = tensors.workload
    x, g = (jax.numpy.asarray(_nchw(tensors, a)) for a in (tensors.orig_input, tensors.grad))
    window, strides = (1, 1, w.kernel, w.kernel), (1, 1, w.stride, w.stride)
    pads = [(0, 0), (0, 0), (w.pad, w.pad), (w.pad, w.pad)]
    lowest = jax.numpy.asarray(-jax.numpy.inf, x.dtype)

    def pool(x: Any) -> Any:
        return jax.lax.reduce_window(x, lowest, jax.lax.max, window, strides, pads)

    gradient = jax.jit(lambda x, g: jax.vjp(pool, x)[1](g)[0])
    yield "jax", lambda: gradient(x, g).block_until_ready()
