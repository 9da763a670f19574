"""The poolings that the benchmark measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from maxpoolgrad_onnx.errors import MaxPoolGradError

Pair = tuple[int, int]  # of the height and of the width

_MOST_ELEMENTS = 1 << 21  # a drawn shape's; the specification takes about a second for them


@dataclass(frozen=True)
class Workload:
    """A window on an NCHW input of `shape`; the padding is the same on both sides of an axis."""

    shape: tuple[int, int, int, int]
    kernel: Pair
    stride: Pair
    pad: Pair = (0, 0)

    @property
    def name(self) -> str:
        """Shape, window, stride and padding, as the table shows them."""
        shape = "x".join(map(str, self.shape))
        padded = f" p{_pair_text(self.pad)}" if any(self.pad) else ""
        return f"{shape} k{_pair_text(self.kernel)} s{_pair_text(self.stride)}{padded}"


def square(shape: tuple[int, int, int, int], kernel: int, stride: int, pad: int = 0) -> Workload:
    """A workload whose window, stride and padding are the same for the height and the width."""
    return Workload(shape, (kernel, kernel), (stride, stride), (pad, pad))


WORKLOADS = (
    square((32, 64, 112, 112), 3, 2, 1),
    square((32, 64, 224, 224), 2, 2),
    square((16, 192, 56, 56), 3, 2),
    square((8, 256, 28, 28), 3, 1, 1),
    square((4, 512, 13, 13), 5, 1, 2),
    square((4, 512, 13, 13), 9, 1, 4),
    square((4, 512, 13, 13), 13, 1, 6),
    square((1, 3, 1080, 1920), 2, 2),
    square((64, 16, 8, 8), 2, 2),
    square((2, 8, 512, 512), 7, 3, 3),
)


def chosen(words: str) -> list[Workload]:
    """The workloads whose names hold the words. Raises MaxPoolGradError where there is none."""
    found = [workload for workload in WORKLOADS if words in workload.name]
    if not found:
        names = ", ".join(f"'{workload.name}'" for workload in WORKLOADS)
        raise MaxPoolGradError(f"no workload's name contains '{words}'; there are {names}")
    return found


def drawn(count: int, seed: int) -> list[Workload]:
    """Poolings at random: planes of 1 to 300 positions a side, windows of 1 to 13, strides of 1 to 6.

    Half of them have square windows and planes. Padding is at most half a window, as other libraries want
    it. Workload i depends on (seed, i) alone.
    """
    return [_drawn(np.random.default_rng([seed, index])) for index in range(count)]


def _drawn(rng: np.random.Generator) -> Workload:
    axes = [_axis(rng) for _ in range(2)]
    (height, *h), (width, *w) = axes[:1] * 2 if rng.random() < 0.5 else axes
    planes = max(1, _MOST_ELEMENTS // (height * width))
    channels = _spread(rng, 1, min(planes, 512))
    images = _spread(rng, 1, max(1, min(planes // channels, 64)))
    kernel, stride, pad = ((a, b) for a, b in zip(h, w, strict=True))
    return Workload((images, channels, height, width), kernel, stride, pad)


def _axis(rng: np.random.Generator) -> tuple[int, int, int, int]:
    """Size, window, stride and padding of one axis."""
    kernel = int(rng.choice([1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7, 9, 11, 13]))
    stride = int(rng.choice([1, 1, 2, 2, 2, 3, 4, 5, 6]))
    pad = int(rng.integers(0, kernel // 2 + 1))
    return max(kernel - 2 * pad, _spread(rng, 1, 300)), kernel, stride, pad


def _spread(rng: np.random.Generator, low: int, high: int) -> int:
    """Between the two, small ones as often as large ones by magnitude."""
    return min(high, int(low * np.exp(rng.uniform(0, np.log((high + 1) / low)))))


def _pair_text(pair: Pair) -> str:
    return str(pair[0]) if pair[0] == pair[1] else f"{pair[0]}x{pair[1]}"
