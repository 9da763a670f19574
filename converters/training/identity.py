"""What a training is of: a checkpoint goes on with the same and nothing else."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import map_file

from .schedule import Schedule

_WORDS = {
    "model": "the training step",
    "data": "the data",
    "held_out": "what is held out",
    "batch_size": "batch_size",
    "seed": "seed",
    "schedule": "the learning rate's schedule",
    "epochs": "epochs",
}


@dataclass(frozen=True)
class Identity:
    """Hashes of the model's file and of the data, and the options."""

    model: str
    data: str
    held_out: str
    batch_size: int | None
    seed: int
    schedule: str
    epochs: int

    def check_same(self, other: Identity, path: str, *, longer: bool) -> None:
        """Raise MaxPoolGradError where `other`, that of the checkpoint at `path`, is another training.

        `longer`: whether more epochs than it was made with go on with the very same steps.
        """
        for name in (field.name for field in fields(self)):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours == theirs or (name == "epochs" and longer and self.epochs > other.epochs):
                continue
            hashed = name in ("model", "data", "held_out")
            values = "another" if hashed else f"{theirs} there and {ours} here"
            raise MaxPoolGradError(
                f"{path}: the checkpoint is of another training: {_WORDS[name]} is {values}; give what it "
                "was made with, or begin a new training from its parameters with --state"
            )


def identity_of(
    model: str | os.PathLike[str],
    data: Mapping[str, Array],
    held_out: Mapping[str, Array] | None,
    *,
    batch_size: int | None,
    seed: int,
    schedule: Schedule,
    epochs: int,
) -> Identity:
    """The identity of a training of this file with these arrays and options."""
    return Identity(
        hashlib.sha256(map_file(model)).hexdigest(),
        _hash(data),
        "" if held_out is None else _hash(held_out),
        batch_size,
        seed,
        str(schedule),
        epochs,
    )


def _hash(arrays: Mapping[str, Array]) -> str:
    total = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        total.update(repr((name, array.dtype.str, array.shape)).encode())
        total.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return total.hexdigest()
