"""Trained parameters from an .npz into a forward model's file."""

from __future__ import annotations

import os

from maxpoolgrad_onnx.errors import MaxPoolGradError
from maxpoolgrad_onnx.files import check_writable
from maxpoolgrad_onnx.gradient import with_parameters
from maxpoolgrad_onnx.gradient.interface import optimizer_state
from maxpoolgrad_onnx.model_files import load_model, save_model

from ..runtime.npz import read_npz
from .checkpoint import state_in


def export(
    trained: str | os.PathLike[str], forward: str | os.PathLike[str], output: str | os.PathLike[str]
) -> int:
    """Write the forward model with the parameters of an .npz, train's output or a checkpoint; how many.

    Raises MaxPoolGradError where a file cannot be read or written, or the two do not belong together.
    """
    check_writable(output)
    state = state_in(read_npz(trained))
    model = load_model(forward)
    try:
        result = with_parameters(model, state)
    except MaxPoolGradError as error:
        raise MaxPoolGradError(f"{trained} for {forward}: {error}", code=error.code) from error
    save_model(result, output)
    return len(state.keys() - optimizer_state(state))
