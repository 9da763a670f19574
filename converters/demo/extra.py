"""The packages that only the demo needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from maxpoolgrad_onnx.errors import MaxPoolGradError


@contextmanager
def demo_extra(package: str) -> Iterator[None]:
    """Turn a failed import into a sentence that says what to install."""
    try:
        yield
    except ImportError as error:
        raise MaxPoolGradError(
            f"the demo needs {package}, which cannot be imported ({error}); "
            "install what it needs with: pip install matplotlib scikit-learn"
        ) from error
