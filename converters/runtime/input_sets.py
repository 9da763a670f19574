"""The files of several inputs, cut into runs; a batch may be made of several files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .input_columns import input_columns
from .input_files import files_per_batch
from .tensors import TensorInfo


@dataclass(frozen=True)
class InputSet:
    """What one run gets: for each input the files whose examples make its batch.

    `stems` are what outputs are called: the names of the first input's files, or one name. In a batch that
    the files do not fill, each input's first file fills the rest, `padding` times for the first input.
    """

    stems: Sequence[str]
    files: Sequence[Sequence[Path]] = ()
    padding: int = 0

    @property
    def samples(self) -> list[list[Path]]:
        """The files for each stem: those of a batch apart where the first input's are."""
        count = len(self.stems)
        if count == 1:
            return [[path for column in self.files for path in column]]
        return [[column[min(at, len(column) - 1)] for column in self.files] for at in range(count)]


MADE_UP = InputSet(("pure_infer_data",))
"""Inputs that no files hold."""


def input_sets(
    model: str, infos: Sequence[TensorInfo], given: Sequence[str | os.PathLike[str]]
) -> list[InputSet]:
    """The runs that the files make, in order; one on made-up inputs where nothing is given.

    As many files of an input make a batch as its size and theirs say. Raises MaxPoolGradError as
    input_columns does, and where the inputs' files make different numbers of batches.
    """
    if not given:
        return [MADE_UP]
    columns = input_columns(model, infos, given)
    batches = [
        # One file alone is the whole input: that it is smaller is a mistake, nothing to fill up.
        _batches(column, files_per_batch(info, column[0]) if len(column) > 1 else 1)
        for info, column in zip(infos, columns, strict=True)
    ]
    if len({len(column) for column in batches}) > 1:
        found = ", ".join(
            f"{column[0].parent if len(column) > 1 else column[0]} has {len(column)}" for column in columns
        )
        raise MaxPoolGradError(f"the inputs have different numbers of files: {found}; give as many of each")
    sets = [_set(files) for files in zip(*batches, strict=True)]
    _check_stems(sets)
    return sets


def _batches(files: Sequence[Path], size: int) -> list[tuple[Sequence[Path], int]]:
    """Files and padding of each batch."""
    cut = [files[start : start + size] for start in range(0, len(files), size)]
    return [((*part, *[part[0]] * (size - len(part))), size - len(part)) for part in cut]


def _set(batch: Sequence[tuple[Sequence[Path], int]]) -> InputSet:
    first, padding = batch[0]
    stems = [path.stem for path in first[: len(first) - padding]]
    return InputSet(stems, [files for files, _ in batch], padding)


def _check_stems(sets: Sequence[InputSet]) -> None:
    """Outputs are called as the first input's files: two of one name would overwrite each other's."""
    seen: set[str] = set()
    for stem in (stem for found in sets for stem in found.stems):
        if stem in seen:
            raise MaxPoolGradError(
                f"two files of the first input are called {stem!r}, so their outputs would overwrite each "
                "other; give one of them another name",
                code="E13026",
            )
        seen.add(stem)
