"""Reading and writing whole files: one line where that fails, and never half a file."""

from __future__ import annotations

import contextlib
import errno
import glob
import mmap
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from .errors import MaxPoolGradError, reason_of

# What can be written: the bytes, pieces of them in order, or a function that writes to the open file.
Content = bytes | Iterable[bytes | memoryview] | Callable[[BinaryIO], None]

_TEMPORARY_SUFFIX = ".tmp"
_LONGEST_PREFIX = 200  # bytes of a temporary name that are its file's; file systems allow 255 in all


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file that is not empty.

    Raises MaxPoolGradError (E13001) where the file is missing, a folder, unreadable or empty.
    """
    with _as_unreadable(path):
        _refuse(path, stat.S_ISCHR, "a device, which may never end; give a file")
        data = Path(path).read_bytes()
    if not data:
        raise MaxPoolGradError(f"{path}: the file is empty; write it again", code="E13001")
    return data


def map_file(path: str | os.PathLike[str]) -> memoryview:
    """The bytes of a file that is not empty, mapped: read as they are used, never copied as a whole.

    Raises MaxPoolGradError (E13001) as read_file does.
    """
    with _as_unreadable(path):
        _refuse(path, _is_no_file, "a device or a pipe, and only files can be mapped; give a file")
        with Path(path).open("rb") as file:
            if not os.fstat(file.fileno()).st_size:
                raise MaxPoolGradError(f"{path}: the file is empty; write it again", code="E13001")
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _is_no_file(mode: int) -> bool:
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _refuse(path: str | os.PathLike[str], kind: Callable[[int], bool], sentence: str) -> None:
    """Refuse what is of a kind; before it is opened, which waits for the other end of a pipe."""
    if kind(os.stat(path).st_mode):
        raise MaxPoolGradError(f"{path}: it is {sentence}", code="E13001")


@contextlib.contextmanager
def _as_unreadable(path: str | os.PathLike[str]) -> Iterator[None]:
    """Give the system's errors the words for a file that cannot be read."""
    try:
        yield
    except OSError as error:
        raise MaxPoolGradError(f"{path}: cannot be read: {reason_of(error)}", code="E13001") from error


def is_same_file(a: str | os.PathLike[str], b: str | os.PathLike[str]) -> bool:
    """Whether two paths lead to one existing file."""
    try:
        return os.path.samefile(a, b)
    except OSError:
        return False


def protect_input(source: str | os.PathLike[str], output: str | os.PathLike[str]) -> None:
    """Raise MaxPoolGradError (E13026) where writing `output` would replace the file that is read."""
    if is_same_file(source, output):
        sentence = f"{output}: it is the input itself; give the output another name"
        raise MaxPoolGradError(sentence, code="E13026")


def make_folder(path: Path) -> Path:
    """Make a folder and those above it, if missing. Raises MaxPoolGradError (E13004) where it cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MaxPoolGradError(
            f"{path}: the folder cannot be made: {reason_of(error)}", code="E13004"
        ) from error
    return path


def write_atomically(path: str | os.PathLike[str], content: Content) -> None:
    """Write a file beside its final place and rename it, so that no reader ever sees half of it.

    An existing file is replaced and keeps its permissions; where anything fails, it stays as it was. A link
    stays a link, to the file that is written. A device or a pipe, which nothing can replace, is written to.
    Raises MaxPoolGradError (E13004) where the folder is missing, or it or the file cannot be written to.
    """
    write_all([(path, content)])


def write_all(files: Sequence[tuple[str | os.PathLike[str], Content]]) -> None:
    """Write files that belong together, each as write_atomically does: where one cannot be, none is."""
    with contextlib.ExitStack() as temporaries:
        written = [_written_beside(path, content, temporaries) for path, content in files]
        for (path, _), temporary in zip(files, written, strict=True):
            if temporary is not None:
                with _as_unwritable(path):
                    temporary.replace(_final_place(path))


def _written_beside(
    path: str | os.PathLike[str], content: Content, temporaries: contextlib.ExitStack
) -> Path | None:
    """The whole file under a temporary name, removed with `temporaries`; None for a stream."""
    if _is_stream(path):
        _write_stream(Path(path), content)
        return None
    descriptor, name = _file_beside(path)
    temporary = Path(name)
    temporaries.callback(temporary.unlink, missing_ok=True)
    with _as_unwritable(path):
        with os.fdopen(descriptor, "wb") as file:
            _write(file, content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode_for(_final_place(path)))
    return temporary


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove what writers of this file left beside it when they were killed; no other may be at work."""
    target = _final_place(path)
    for leftover in target.parent.glob(f"{glob.escape(_temporary_prefix(target))}*{_TEMPORARY_SUFFIX}"):
        leftover.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise what write_atomically would, before the long work whose result it is to write."""
    if _is_stream(path):
        return
    descriptor, temporary = _file_beside(path)
    os.close(descriptor)
    Path(temporary).unlink()


def _file_beside(path: str | os.PathLike[str]) -> tuple[int, str]:
    """A new file in the folder of the one that is to be: its descriptor, open, and its path."""
    target = _final_place(path)
    if os.fspath(path).endswith(os.sep) or os.path.isdir(target):
        raise MaxPoolGradError(f"{path}: it is a folder; add a file name", code="E13004")
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return tempfile.mkstemp(prefix=_temporary_prefix(target), suffix=_TEMPORARY_SUFFIX, dir=target.parent)
    except OSError as error:
        raise _unwritable(Path(path), error) from error


def _temporary_prefix(target: Path) -> str:
    """What the temporary names of a file begin with, no longer than a name may be."""
    return f".{os.fsdecode(os.fsencode(target.name)[:_LONGEST_PREFIX])}."


def _final_place(path: str | os.PathLike[str]) -> Path:
    """Where a link leads."""
    return Path(os.path.realpath(path))


def _is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether there is something under this path that is neither a file nor a folder, as /dev/stdout is."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return _is_no_file(mode)


def _write_stream(path: Path, content: Content) -> None:
    with _as_unwritable(path), path.open("wb") as stream:
        _write(stream, content)


def _write(file: BinaryIO, content: Content) -> None:
    if isinstance(content, bytes):
        file.write(content)
    elif callable(content):
        content(file)
    else:
        for piece in content:
            file.write(piece)


def _mode_for(target: Path) -> int:
    """The permissions of the file being replaced, or what the process's umask gives a new one."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


@contextlib.contextmanager
def _as_unwritable(path: str | os.PathLike[str]) -> Iterator[None]:
    """Give the system's errors the words for a file that cannot be written."""
    try:
        yield
    except OSError as error:
        raise _unwritable(Path(path), error) from error


def _unwritable(target: Path, error: OSError) -> MaxPoolGradError:
    reason = f"{reason_of(error)}; write to another folder"
    if isinstance(error, FileNotFoundError) and not os.path.isdir(target.parent):
        reason = f"there is no folder {target.parent}; make it first"
    if error.errno == errno.ENAMETOOLONG:
        reason = f"{reason_of(error)}; give it a shorter one"
    return MaxPoolGradError(f"{target}: cannot be written: {reason}", code="E13004")
