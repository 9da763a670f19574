"""Examples cut into shuffled batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from ..runtime.tensors import TensorInfo, check_names, checked_feeds

_DEFAULT_SIZE = 32

Sizes = Sequence[int]
"""The sizes of a batch that a model takes; none where it takes any."""


@dataclass(frozen=True)
class Batch:
    """A batch by input name, and the numbers of its examples in the data."""

    arrays: Mapping[str, Array]
    examples: Array


@dataclass(frozen=True)
class Batches:
    """Of what size they are, how many there are in an epoch, and the examples they are cut from."""

    data: Mapping[str, Array]
    size: int
    count: int
    examples: int

    @classmethod
    def of(
        cls,
        model: str,
        infos: Sequence[TensorInfo],
        data: Mapping[str, Array],
        size: int | None,
        profiles: Sizes = (),
    ) -> Batches:
        """Check the data against the model's inputs and settle the size of a batch.

        The size is the model's own where its inputs fix it, and one of its `profiles` where it has some;
        examples left over by an epoch are then not used in it. Where it is open it is `size`, or 32, and an
        epoch's last batch may be smaller. Raises MaxPoolGradError that names the input or size and what is
        wanted.
        """
        check_names(model, [info.name for info in infos], list(data))
        lengths = {name: len(array) if array.ndim else 0 for name, array in data.items()}
        if len(set(lengths.values())) > 1:
            raise MaxPoolGradError(f"the data has different numbers of examples, {lengths}; give one of each")
        examples = next(iter(lengths.values()), 0)
        fixed = _fixed_size(infos)
        if size is not None and size < 1:
            raise MaxPoolGradError(f"batch_size is {size}; it must be 1 or more", code="E10001")
        allowed = [fixed] if fixed else sorted(set(profiles))
        chosen = _chosen(model, size, allowed)
        if examples < (chosen if allowed else 1):
            cure = ", or make the step from a forward model whose batch is open" if allowed else ""
            raise MaxPoolGradError(
                f"{model}: the data has {examples} examples; a batch takes {chosen}: give more{cure}"
            )
        first = {name: array[: chosen if allowed else 1] for name, array in data.items()}
        checked_feeds(model, infos, first)
        rest_fits = not allowed or examples % chosen in allowed
        count = -(-examples // chosen) if rest_fits else examples // chosen
        return cls({name: _native(array) for name, array in data.items()}, chosen, count, examples)

    def epoch(self, rng: np.random.Generator, first: int = 0) -> Iterator[Batch]:
        """One epoch's batches in a new order, from batch number `first` on."""
        return self._cut(rng.permutation(self.examples), first)

    def in_order(self) -> Iterator[Batch]:
        """The batches in the order of the data."""
        return self._cut(np.arange(self.examples), 0)

    def _cut(self, order: Array, first: int) -> Iterator[Batch]:
        for start in range(first * self.size, self.count * self.size, self.size):
            chosen = order[start : start + self.size]
            yield Batch({name: array[chosen] for name, array in self.data.items()}, chosen)


def _native(array: Array) -> Array:
    """The array as ONNX Runtime reads memory: in C order, in the processor's byte order."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("="))


def _chosen(model: str, size: int | None, allowed: Sizes) -> int:
    if not allowed:
        return size or _DEFAULT_SIZE
    if size is None:
        return allowed[-1]
    if size not in allowed:
        many = len(allowed) > 1
        takes = f"profiles are {', '.join(map(str, allowed))}" if many else f"batch is {allowed[0]}"
        cure = "give one of them" if many else "leave it out"
        raise MaxPoolGradError(
            f"{model}: batch_size is {size}, but the model's {takes}; {cure}, or make the "
            "step from a forward model whose batch is open",
            code="E10001",
        )
    return size


def _fixed_size(infos: Sequence[TensorInfo]) -> int:
    """The batch that the inputs fix; 0 where it is open."""
    sizes = {info.shape[0] for info in infos if info.shape}
    if len(sizes) > 1:
        names = ", ".join(f"{quoted(info.name)} {list(info.shape or ())}" for info in infos)
        raise MaxPoolGradError(f"the model's inputs have batches of different sizes: {names}; give them one")
    return max(sizes.pop(), 0) if sizes else 0
