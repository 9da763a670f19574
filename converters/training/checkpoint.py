"""A training's place in a file: an .npz of the state by name, so that it serves as a saved state, too."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError

from ..runtime.npz import read_npz, write_npz
from .identity import Identity
from .loop import Epoch, Place
from .step import TrainingStep

_ABOUT, _LOSSES = OWN_NAMES = ("maxpoolgrad.checkpoint", "maxpoolgrad.losses")
"""What a checkpoint holds besides the state."""

_VERSION = 1


def write_checkpoint(path: str | os.PathLike[str], place: Place, identity: Identity) -> None:
    """Write a checkpoint whole, in the place of the one before, or leave that as it is.

    Raises MaxPoolGradError where it cannot be written.
    """
    about = {
        "version": _VERSION,
        "identity": asdict(identity),
        "epochs": [asdict(epoch) for epoch in place.epochs],
        "batches": place.batches,
        "rng": place.rng,
    }
    own = {_ABOUT: np.array(json.dumps(about)), _LOSSES: np.array(place.losses, np.float64)}
    write_npz(path, {**place.state, **own})


def read_checkpoint(path: str | os.PathLike[str]) -> tuple[Place, Identity]:
    """A checkpoint's place and identity. Raises MaxPoolGradError where the file is none or is damaged."""
    arrays = read_npz(path)
    if _ABOUT not in arrays or _LOSSES not in arrays:
        raise MaxPoolGradError(
            f"{path}: it is no checkpoint; give what --checkpoint wrote, or a state with --state",
            code="E13005",
        )
    try:
        about = json.loads(str(arrays[_ABOUT]))
        if about["version"] != _VERSION:
            raise ValueError(f"its version is {about['version']}, known is {_VERSION}")
        epochs = tuple(Epoch(**epoch) for epoch in about["epochs"])
        losses = tuple(float(loss) for loss in arrays[_LOSSES])
        identity = Identity(**about["identity"])
        place = Place(state_in(arrays), losses, epochs, int(about["batches"]), about["rng"])
        np.random.default_rng(0).bit_generator.state = dict(place.rng)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise MaxPoolGradError(
            f"{path}: the checkpoint is damaged: {error}; begin a new training", code="E13005"
        ) from error
    return place, identity


def state_in(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The state in the arrays of a checkpoint, or of what --output wrote."""
    return {name: array for name, array in arrays.items() if name not in OWN_NAMES}


def check_state(path: str | os.PathLike[str], step: TrainingStep, place: Place) -> None:
    """Raise MaxPoolGradError where a checkpoint's state is not that of the step."""
    wanted: dict[str, Any] = {info.name: (info.shape, info.datatype) for info in step.state}
    found: dict[str, Any] = {name: (array.shape, array.dtype.name) for name, array in place.state.items()}
    if wanted != found:
        raise MaxPoolGradError(
            f"{path}: the checkpoint is of another training step: it holds other parameters and states; give "
            "the step that it was made with"
        )
