"""The one error type that the package raises on purpose."""

from __future__ import annotations


class MaxPoolGradError(Exception):
    """One sentence that names the node or file, the value, what is allowed and what to do.

    `code` is the code that atc prints for the same kind of failure ("E10001"), or None where atc has none.
    """

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code
