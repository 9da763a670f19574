"""ONNX -> GE IR -> .om, and back out to a run.

The public names below are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from maxpoolgrad_onnx.lazy import import_on_first_use

if TYPE_CHECKING:
    from .compile import compile as compile
    from .ge_ir import GeModel as GeModel
    from .ge_to_onnx import ge_to_onnx as ge_to_onnx
    from .loading import load as load
    from .onnx_to_ge import onnx_to_ge as onnx_to_ge
    from .runtime import InferSession as InferSession
    from .targets import check_target as check_target

# Public name -> the submodule that defines it.
_HOMES: dict[str, str | None] = {
    "GeModel": "ge_ir",
    "InferSession": "runtime",
    "check_target": "targets",
    "compile": "compile",
    "ge_to_onnx": "ge_to_onnx",
    "load": "loading",
    "onnx_to_ge": "onnx_to_ge",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  (names of the table above)

import_on_first_use(__name__, _HOMES)
