"""The one error type that the package raises on purpose, and how any error becomes one line."""

from __future__ import annotations

# Libraries whose own errors tell of a bad model, not of a bug; by the package that defines them.
_LIBRARIES = {"onnx": "onnx", "onnxruntime": "ONNX Runtime"}
_LONGEST = 60  # characters of a quoted text
_LONGEST_LINE = 2000  # characters of a sentence; a hostile model's shapes and names know no bounds


class MaxPoolGradError(Exception):
    """One sentence that names the node or file, the value, what is allowed and what to do.

    `code` is the code that atc prints for the same kind of failure ("E10001"), or None where atc has none.
    The message is one printable line, whatever a hostile name in a model held.
    """

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(one_line(message))
        self.code = code


def sentence_of(error: BaseException) -> str:
    """An error as one printable line: what the user reads of it, wherever it comes from."""
    if isinstance(error, MaxPoolGradError):
        return str(error)
    if isinstance(error, OSError):
        reason = reason_of(error)
        return one_line(f"{error.filename}: {reason}" if error.filename is not None else reason)
    if isinstance(error, MemoryError):
        return "out of memory; use a machine with more of it, or a smaller model or batch"
    library = _LIBRARIES.get(type(error).__module__.partition(".")[0])
    if library:
        return one_line(f"{library} refuses the model: {error}")
    return one_line(
        f"internal error: {type(error).__name__}: {error}; please report it; "
        "set MAXPOOLGRAD_TRACEBACK=1 for the traceback"
    )


def reason_of(error: OSError) -> str:
    """Why the system refused, without the file's name."""
    return (error.strerror or str(error)).lower()


def one_line(text: str) -> str:
    """`text` on one line, without characters that would steer a terminal: names in models may hold any.

    It is cut in the middle where it is longer than anybody reads.
    """
    joined = " ".join(text.split())
    if len(joined) > _LONGEST_LINE:
        joined = f"{joined[: _LONGEST_LINE // 2]} ... {joined[-_LONGEST_LINE // 4 :]}"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in joined)


def quoted(name: object) -> str:
    """A name or text from outside, in quotes: odd characters escaped, cut in the middle where it is long."""
    text = str(name)
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}...{text[-_LONGEST // 4 :]}"
    return repr(text)
