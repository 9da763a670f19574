"""Max pooling of the other libraries, forward and backward: each on its own threads, as many as asked for."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array

from .data import Tensors

Call = Callable[[], Any]


@dataclass(frozen=True)
class Peer:
    """One way to compute the gradient: `call` does the work, `result` makes its value a NumPy array.

    The array has `orig_input`'s shape and layout.
    """

    name: str
    call: Call
    result: Callable[[Any], Array]


def imported(library: str) -> Any:
    """The module, or None where it is not installed."""
    if library == "tensorflow":
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # it logs what it could do on other machines
    try:
        return importlib.import_module(library)
    except ImportError:
        return None


def torch_peers(torch: Any, tensors: Tensors, threads: int) -> Iterator[Peer]:
    """Both of torch's layouts, and the backward alone that is given the indices, which is less work."""
    torch.set_num_threads(threads)
    w = tensors.workload
    pool = torch.nn.functional.max_pool2d
    x, g = (torch.from_numpy(_nchw(tensors, array)) for array in (tensors.orig_input, tensors.grad))

    def result(value: Any) -> Array:
        return _as_given(tensors, value.numpy())

    def forward_and_backward(x: Any, g: Any) -> Call:
        x.requires_grad_()

        def call() -> Any:
            x.grad = None
            pool(x, w.kernel, w.stride, w.pad).backward(g)
            return x.grad

        return call

    for name, layout in (("NCHW", torch.contiguous_format), ("channels_last", torch.channels_last)):
        copies = (tensor.detach().clone(memory_format=layout) for tensor in (x, g))
        yield Peer(f"torch {name}", forward_and_backward(*copies), result)
    plain, grad = x.contiguous(), g.contiguous()
    indices = pool(plain, w.kernel, w.stride, w.pad, return_indices=True)[1]
    backward = torch.ops.aten.max_pool2d_with_indices_backward
    window = w.kernel, w.stride, w.pad, [1, 1], False, indices
    yield Peer("torch with indices", lambda: backward(grad, plain, *window), result)


def tensorflow_peers(tensorflow: Any, tensors: Tensors, threads: int) -> Iterator[Peer]:
    """NHWC, for it has no other layout on a CPU; a graph, whose XLA form does not take explicit padding."""
    threading = tensorflow.config.threading
    threading.set_intra_op_parallelism_threads(threads)
    threading.set_inter_op_parallelism_threads(1)
    w = tensors.workload
    x, g = (tensorflow.constant(_nhwc(tensors, array)) for array in (tensors.orig_input, tensors.grad))
    padding = [[0, 0], *([pad, pad] for pad in w.pad), [0, 0]] if any(w.pad) else "VALID"

    def gradient(x: Any, g: Any) -> Any:
        with tensorflow.GradientTape() as tape:
            tape.watch(x)
            y = tensorflow.nn.max_pool2d(x, w.kernel, w.stride, padding)
        return tape.gradient(y, x, g)

    compiled = tensorflow.function(gradient)

    def result(value: Any) -> Array:
        array: Array = value.numpy()
        return array if tensors.nhwc else array.transpose(0, 3, 1, 2)

    yield Peer("tensorflow", lambda: compiled(x, g), result)


def jax_peers(jax: Any, tensors: Tensors, threads: int) -> Iterator[Peer]:
    """In the data format of the tensors, compiled. The number of threads is the process's first."""
    os.environ["NPROC"] = str(threads)  # what XLA makes its pool of threads by
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_enable_async_dispatch", False)  # in this thread, not in one that it waits for
    w = tensors.workload
    x, g = (jax.numpy.asarray(array) for array in (tensors.orig_input, tensors.grad))

    def on_hw(pair: Any, other: Any) -> tuple[Any, ...]:
        return (other, *pair, other) if tensors.nhwc else (other, other, *pair)

    window, strides = on_hw(w.kernel, 1), on_hw(w.stride, 1)
    pads = on_hw(((pad, pad) for pad in w.pad), (0, 0))

    def pool(x: Any) -> Any:
        return jax.lax.reduce_window(x, -np.inf, jax.lax.max, window, strides, pads)

    gradient = jax.jit(lambda x, g: jax.vjp(pool, x)[1](g)[0])
    yield Peer("jax", lambda: gradient(x, g).block_until_ready(), np.asarray)


def _nchw(tensors: Tensors, array: Array) -> Array:
    return array.transpose(0, 3, 1, 2) if tensors.nhwc else array


def _nhwc(tensors: Tensors, array: Array) -> Array:
    return array if tensors.nhwc else array.transpose(0, 2, 3, 1)


def _as_given(tensors: Tensors, nchw: Array) -> Array:
    return nchw.transpose(0, 2, 3, 1) if tensors.nhwc else nchw
