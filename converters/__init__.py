"""ONNX -> GE IR -> .om, and back out to a run.

The public names below are imported on first use.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .compile import compile as compile
    from .ge_ir import GeModel as GeModel
    from .ge_to_onnx import ge_to_onnx as ge_to_onnx
    from .loading import load as load
    from .onnx_to_ge import onnx_to_ge as onnx_to_ge
    from .runtime import InferSession as InferSession

# Public name -> the submodule that defines it.
_HOMES = {
    "GeModel": "ge_ir",
    "InferSession": "runtime",
    "compile": "compile",
    "ge_to_onnx": "ge_to_onnx",
    "load": "loading",
    "onnx_to_ge": "onnx_to_ge",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  (names of the table above)


class _Package(ModuleType):
    """Some names are submodules too: importing those must not hide the functions."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
