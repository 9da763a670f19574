"""Which files belong to which input: by the order of what is given, or by name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from .tensors import TensorInfo, check_names

SUFFIXES = (".npy", ".bin")


def input_columns(
    model: str, infos: Sequence[TensorInfo], given: Sequence[str | os.PathLike[str]]
) -> list[list[Path]]:
    """The files of each input, in order.

    `given` has a file or folder for each input in their order; or, for several runs, as many files for each,
    first all of the first input, as ais_bench has it; or "name=path" entries in any order, several of one
    name where it has several files. A folder counts for its files, by name.

    Raises MaxPoolGradError where their number is wrong (145000), a name is none (E10016), or a file or folder
    without a name in front is called as another input is: orig_output and grad have the same size.
    """
    names = [info.name for info in infos]
    named = [_named(os.fspath(entry), names) for entry in given]
    if any(name is not None for name, _ in named):
        return _by_name(model, names, named)
    paths = [path for _, path in named]
    if any(os.path.isdir(path) for path in paths) and len(paths) != len(infos):
        raise _wrong_number(model, len(paths), names, "a file or folder for each")
    if not names or len(paths) % len(names):
        raise _wrong_number(model, len(paths), names, "as many files for each")
    each = len(paths) // len(names)
    columns = [paths[start : start + each] for start in range(0, len(paths), each)]
    for name, column in zip(names, columns, strict=True):
        for path in column:
            _check_stem(model, path, name, names)
    return [[file for path in column for file in _files(path)] for column in columns]


def _named(entry: str, names: Sequence[str]) -> tuple[str | None, Path]:
    """An entry's name and path. A path may hold "=", too: then it exists as it is."""
    if os.path.exists(entry):
        return None, Path(entry)
    for name in names:
        if entry.startswith(f"{name}="):
            return name, Path(entry.removeprefix(f"{name}="))
    name, equals, path = entry.partition("=")
    return (name, Path(path)) if equals else (None, Path(entry))


def _by_name(model: str, names: list[str], named: Sequence[tuple[str | None, Path]]) -> list[list[Path]]:
    bare = [path for name, path in named if name is None]
    if bare:
        raise MaxPoolGradError(
            f"{model}: {bare[0]} is given without a name, others with one; write all as name=path",
            code="E10016",
        )
    check_names(model, names, list(dict.fromkeys(name for name, _ in named if name is not None)))
    return [[file for name, path in named if name == wanted for file in _files(path)] for wanted in names]


def _check_stem(model: str, path: Path, name: str, names: Sequence[str]) -> None:
    if path.stem != name and path.stem in names:
        raise MaxPoolGradError(
            f"{model}: {path} is given for input {quoted(name)}, but is called as input {quoted(path.stem)} "
            f"is; give the inputs in their order, {', '.join(map(quoted, names))}, or name them: "
            f"{name}={path}",
            code="145000",
        )


def _files(path: Path) -> list[Path]:
    if not os.path.isdir(path):
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
    if not files:
        raise MaxPoolGradError(
            f"{path}: the folder has no .npy or .bin file; put inputs there", code="E13001"
        )
    return files


def _wrong_number(model: str, count: int, names: Sequence[str], cure: str) -> MaxPoolGradError:
    takes = ", ".join(map(quoted, names)) or "no input"
    paths = "1 input path is" if count == 1 else f"{count} input paths are"
    return MaxPoolGradError(f"{model}: {paths} given; it takes {takes}: give {cure}", code="145000")
