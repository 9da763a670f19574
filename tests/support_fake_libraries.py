"""TensorFlow and JAX as far as the benchmark calls them, for where neither is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from maxpoolgrad_onnx import reference
from maxpoolgrad_onnx.arrays import Array


class Tensor(np.ndarray[Any, Any]):
    def numpy(self) -> Array:
        return np.asarray(self)

    def block_until_ready(self) -> Tensor:
        return self


@dataclass
class Pooled:
    """The forward operator's result, and what backward needs."""

    x: Array
    attributes: dict[str, Any]

    def gradient(self, grad: Array) -> Tensor:
        output = reference.max_pool_v3(self.x, **self.attributes)
        return reference.max_pool_v3_grad(self.x, output, grad, **self.attributes).view(Tensor)


@dataclass
class FakeTensorFlow:
    """Refuses what TensorFlow refuses on a CPU: another layout than NHWC."""

    threads: list[int] = field(default_factory=list)
    __version__ = "0"

    def __post_init__(self) -> None:
        self.nn = SimpleNamespace(max_pool2d=self._max_pool2d)
        self.config = SimpleNamespace(
            threading=SimpleNamespace(
                set_intra_op_parallelism_threads=self.threads.append,
                set_inter_op_parallelism_threads=lambda count: None,
            )
        )

    def constant(self, array: Array) -> Tensor:
        return array.view(Tensor)

    def function(self, body: Callable[..., Any]) -> Callable[..., Any]:
        return body

    def GradientTape(self) -> _Tape:  # noqa: N802
        return _Tape()

    def _max_pool2d(self, x: Array, ksize: Sequence[int], strides: Sequence[int], padding: Any) -> Pooled:
        pads = [[0, 0]] * 4 if padding == "VALID" else padding
        assert pads[0] == pads[3] == [0, 0]
        return Pooled(
            x,
            {
                "ksize": [1, *ksize, 1],
                "strides": [1, *strides, 1],
                "pads": [*pads[1], *pads[2]],
                "data_format": "NHWC",
            },
        )


class _Tape:
    def __enter__(self) -> _Tape:
        return self

    def __exit__(self, *error: object) -> None: ...

    def watch(self, x: Array) -> None: ...

    def gradient(self, y: Pooled, x: Array, grad: Array) -> Tensor:
        assert x is y.x
        return y.gradient(grad)


@dataclass
class FakeJax:
    """Differentiates a maximum from -Inf only, as JAX does."""

    settings: dict[str, Any] = field(default_factory=dict)
    numpy = SimpleNamespace(asarray=lambda array: array.view(Tensor))
    __version__ = "0"

    def __post_init__(self) -> None:
        self.lax = SimpleNamespace(max=max, reduce_window=self._reduce_window)
        self.config = SimpleNamespace(update=self.settings.__setitem__)

    def jit(self, body: Callable[..., Any]) -> Callable[..., Any]:
        return body

    def vjp(self, pool: Callable[[Array], Pooled], x: Array) -> tuple[Pooled, Callable[[Array], list[Any]]]:
        y = pool(x)
        return y, lambda grad: [y.gradient(grad)]

    def _reduce_window(
        self, x: Array, initial: float, reduce: Any, window: Any, strides: Any, padding: Any
    ) -> Pooled:
        assert initial == -np.inf
        assert reduce is max
        nchw = window[1] == 1 == strides[1] and padding[1] == (0, 0)
        first = 2 if nchw else 1
        pads = [pad for pair in padding[first : first + 2] for pad in pair]
        attributes = {"ksize": window, "strides": strides, "pads": pads}
        return Pooled(x, attributes | {"data_format": "NCHW" if nchw else "NHWC"})
