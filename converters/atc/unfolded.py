"""A training step as an installed atc reads it, whose parser knows no functions of a model."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from maxpoolgrad_onnx.errors import MaxPoolGradError, reason_of
from maxpoolgrad_onnx.opsets import FUNCTION_DOMAIN

from .command_line import CommandLine, Given

if TYPE_CHECKING:
    from onnx import ModelProto

_ONNX = "5"  # of --framework


@contextlib.contextmanager
def without_functions(line: CommandLine) -> Iterator[tuple[CommandLine, Sequence[str]]]:
    """The command line for atc, and notices.

    Where --model is an ONNX model with functions of domain `maxpoolgrad`, the line names a copy without them,
    beside the model, where the files of its weights are, too; it is removed at the end. Raises
    MaxPoolGradError (E13004) where it cannot be written.
    """
    path = Path(line.text("model"))
    unfolded = _unfolded(path) if line.text("framework") == _ONNX and line.text("mode") == "0" else None
    if unfolded is None:
        yield line, ()
        return
    copy = _written(unfolded, path)
    flags = [_naming(flag, copy) if flag.name == "model" else flag for flag in line.flags]
    notice = f"atc is given {copy.name}, which is {path.name} with the functions of the step unfolded"
    try:
        yield replace(line, flags=flags), (notice,)
    finally:
        copy.unlink(missing_ok=True)


def _unfolded(path: Path) -> ModelProto | None:
    """None where there is nothing to unfold, or no model that can be read: atc says what it is."""
    import onnx
    import onnx.inliner

    from maxpoolgrad_onnx.mapped_model import map_model

    try:
        functions = map_model(path).proto.functions
    except MaxPoolGradError:
        return None
    own = [(function.domain, function.name) for function in functions if function.domain == FUNCTION_DOMAIN]
    if not own:
        return None
    model = onnx.load(path, load_external_data=False)
    unfolded: ModelProto = onnx.inliner.inline_selected_functions(model, own)
    kept = [entry for entry in unfolded.opset_import if entry.domain != FUNCTION_DOMAIN]
    del unfolded.opset_import[:]
    unfolded.opset_import.extend(kept)
    return unfolded


def _written(model: ModelProto, beside: Path) -> Path:
    try:
        handle, name = tempfile.mkstemp(".onnx", f"{beside.stem[:100]}.unfolded-", beside.parent)
        with open(handle, "wb") as file:
            file.write(model.SerializeToString())
    except OSError as error:
        raise MaxPoolGradError(
            f"{beside.parent}: no copy of {beside.name} without functions, which atc needs, can be written "
            f"there: {reason_of(error)}; make the step with `maxpoolgrad grad --unfold`",
            code="E13004",
        ) from error
    return Path(name)


def _naming(flag: Given, path: Path) -> Given:
    text = os.fspath(path)
    return Given(flag.name, text, (f"--{flag.name}={text}",))
