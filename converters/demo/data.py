"""The handwritten digits that scikit-learn ships, and how the demo splits and shifts them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .extra import demo_extra

Images = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]
Indices = npt.NDArray[np.intp]

CLASSES = 10
SPLIT_SEED = 0
HELD_OUT_SHARE = 5  # one in five
LARGEST_SHIFT = 0.5  # pixels


@dataclass(frozen=True)
class Digits:
    """Handwritten digits: images [N, 1, 8, 8] from 0 (paper) to 1 (ink), labels [N]."""

    images: Images
    labels: Labels

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, indices: Indices) -> Digits:
        """These digits only."""
        return Digits(self.images[indices], self.labels[indices])


@dataclass(frozen=True)
class Split:
    """Indices of the digits to train with and of those held out, each in file order."""

    name: str
    training: Indices
    held_out: Indices

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the held-out indices as text, one a line: the same split has the same one."""
        return hashlib.sha256("".join(f"{i}\n" for i in self.held_out).encode()).hexdigest()


def load_digits() -> Digits:
    """The 1,797 digits of scikit-learn: the test part of UCI's "Optical Recognition of Handwritten Digits".

    Raises MaxPoolGradError where scikit-learn is not installed.
    """
    with demo_extra("scikit-learn"):
        from sklearn import datasets
    bunch: Any = datasets.load_digits()
    images = (bunch.images / 16).astype(np.float32)[:, np.newaxis]
    return Digits(images, bunch.target.astype(np.int64))


def stratified_split(labels: Labels) -> Split:
    """A fifth of each class is held out, by a permutation that anyone can make again.

    With one numpy.random.RandomState(0), whose stream NumPy keeps for good, for class 0 to 9 in turn:
    permutation(n) of the class's n digits in file order; the first round(n / 5) of them are held out.
    """
    random = np.random.RandomState(SPLIT_SEED)
    held_out: list[Indices] = []
    for label in range(CLASSES):
        members = np.flatnonzero(labels == label)
        order = random.permutation(len(members))
        held_out.append(members[order[: round(len(members) / HELD_OUT_SHARE)]])
    return _split("stratified", len(labels), np.concatenate(held_out))


def file_order_split(count: int) -> Split:
    """The last fifth of the file is held out. Its order is no random one, so this is the harder test."""
    held_out = round(count / HELD_OUT_SHARE)
    return _split("file order", count, np.arange(count - held_out, count))


def shifted(images: Images, random: np.random.RandomState) -> Images:
    """Each image moved by up to half a pixel down or up and right or left, zeros moving in.

    Args:
        images: [N, C, H, W].
        random: gives two numbers an image, uniform in [-0.5, 0.5).

    Returns:
        New images: between pixels, the bilinear mean.
    """
    shifts = random.uniform(-LARGEST_SHIFT, LARGEST_SHIFT, (2, len(images), 1, 1, 1)).astype(images.dtype)
    return _moved(_moved(images, shifts[0], axis=2), shifts[1], axis=3)


def _moved(images: Images, shift: Images, axis: int) -> Images:
    """Images moved along an axis by less than a pixel."""
    size = images.shape[axis]
    padding = [(1, 1) if at == axis else (0, 0) for at in range(images.ndim)]
    padded = np.pad(images, padding)
    before, after = (padded.take(np.arange(start, start + size), axis) for start in (0, 2))
    moved: Images = (
        images + np.maximum(shift, 0) * (before - images) - np.minimum(shift, 0) * (after - images)
    )
    return moved


def _split(name: str, count: int, held_out: Indices) -> Split:
    held_out = np.sort(held_out)
    return Split(name, np.setdiff1d(np.arange(count), held_out), held_out)
