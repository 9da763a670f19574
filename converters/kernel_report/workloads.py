"""The poolings that kernels are measured on: those of well-known networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Workload:
    """A square pooling, and where networks have it."""

    size: int
    channels: int
    kernel: int
    stride: int
    pad: int
    network: str

    @property
    def name(self) -> str:
        """As "k3 s2 p1 at 112x112"."""
        pad = f" p{self.pad}" if self.pad else ""
        return f"k{self.kernel} s{self.stride}{pad} at {self.size}x{self.size}"

    @property
    def overlaps(self) -> bool:
        """Whether windows share positions."""
        return self.kernel > self.stride

    def shape(self, batch: int, data_format: str) -> tuple[int, int, int, int]:
        """orig_input's."""
        if data_format == "NHWC":
            return batch, self.size, self.size, self.channels
        return batch, self.channels, self.size, self.size

    def attributes(self, data_format: str) -> dict[str, Any]:
        """The operator's, those that are not defaults."""

        def window(size: int) -> tuple[int, int, int, int]:
            return (1, size, size, 1) if data_format == "NHWC" else (1, 1, size, size)

        return {
            "ksize": window(self.kernel),
            "strides": window(self.stride),
            "pads": (self.pad,) * 4,
            "data_format": data_format,
        }


WORKLOADS = (
    Workload(56, 64, 2, 2, 0, "VGG"),
    Workload(112, 64, 3, 2, 1, "ResNet's stem"),
    Workload(28, 64, 3, 1, 1, "Inception"),
    Workload(13, 512, 13, 1, 6, "YOLO's pyramid"),
)
