"""Examples cut into shuffled batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from .tensors import TensorInfo, check_names, checked_feeds

_DEFAULT_SIZE = 32


@dataclass(frozen=True)
class Batches:
    """How many there are in an epoch, of what size, and the examples they are cut from."""

    data: Mapping[str, Array]
    size: int
    count: int
    examples: int

    @classmethod
    def of(
        cls, model: str, infos: Sequence[TensorInfo], data: Mapping[str, Array], size: int | None
    ) -> Batches:
        """Check the data against the model's inputs and settle the size of a batch.

        The size is the model's own where its inputs fix it; examples left over by an epoch are then not used
        in it. Where it is open it is `size`, or 32, and an epoch's last batch may be smaller. Raises
        MaxPoolGradError that names the input or size and what is wanted.
        """
        check_names(model, [info.name for info in infos], list(data))
        lengths = {name: len(array) if array.ndim else 0 for name, array in data.items()}
        if len(set(lengths.values())) > 1:
            raise MaxPoolGradError(f"the data has different numbers of examples, {lengths}; give one of each")
        examples = next(iter(lengths.values()), 0)
        fixed = _fixed_size(infos)
        if size is not None and size < 1:
            raise MaxPoolGradError(f"batch_size is {size}; it must be 1 or more", code="E10001")
        if fixed and size not in (None, fixed):
            raise MaxPoolGradError(
                f"{model}: batch_size is {size}, but the model's batch is {fixed}; leave it out, or make the "
                "step from a forward model whose batch is open",
                code="E10001",
            )
        chosen = fixed or size or _DEFAULT_SIZE
        if examples < (fixed or 1):
            cure = ", or make the step from a forward model whose batch is open" if fixed else ""
            raise MaxPoolGradError(
                f"{model}: the data has {examples} examples; a batch takes {chosen}: give more{cure}"
            )
        first = {name: array[: fixed or 1] for name, array in data.items()}
        checked_feeds(model, infos, first)
        count = examples // fixed if fixed else -(-examples // chosen)
        return cls(data, chosen, count, examples)

    def epoch(self, rng: np.random.Generator) -> Iterator[dict[str, Array]]:
        """One epoch's batches, by input name, in a new order."""
        order = rng.permutation(self.examples)
        for start in range(0, self.count * self.size, self.size):
            chosen = order[start : start + self.size]
            yield {name: array[chosen] for name, array in self.data.items()}


def _fixed_size(infos: Sequence[TensorInfo]) -> int:
    """The batch that the inputs fix; 0 where it is open."""
    sizes = {info.shape[0] for info in infos if info.shape}
    if len(sizes) > 1:
        names = ", ".join(f"{quoted(info.name)} {list(info.shape or ())}" for info in infos)
        raise MaxPoolGradError(f"the model's inputs have batches of different sizes: {names}; give them one")
    return max(sizes.pop(), 0) if sizes else 0
