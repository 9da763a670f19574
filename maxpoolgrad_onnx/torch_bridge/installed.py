"""torch and onnxscript, or a sentence that says how to get them."""

from __future__ import annotations

import importlib
from types import ModuleType

from ..errors import MaxPoolGradError


def require(module: str) -> ModuleType:
    """A module of the extra `torch`. Raises MaxPoolGradError where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MaxPoolGradError(
            f"{module} cannot be imported ({error}), and the PyTorch bridge needs it; "
            "pip install 'maxpoolgrad[torch]'"
        ) from error


torch = require("torch")
