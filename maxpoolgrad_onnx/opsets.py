"""The versions of ONNX that the project reads and writes, and those that a model imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import ModelProto

# CANN's ONNX parser knows every operator in these versions of ai.onnx.
OLDEST_OPSET, NEWEST_OPSET = 8, 18

NEWEST_IR_VERSION = 10
"""That CANN's ONNX parser reads."""

IR_VERSION = 9
"""Of the models that are written; every ONNX Runtime from 1.17 on and CANN's parser read it."""

FUNCTION_DOMAIN, FUNCTION_VERSION = "maxpoolgrad", 1
"""Of the functions that a training step has for its own parts."""


def default_opset(model: ModelProto) -> int | None:
    """The opset version of the standard operators, or None where the model imports none.

    Where both spellings of the domain are imported, the last counts, as in ONNX Runtime's and ATC's parsers.
    """
    versions = [entry.version for entry in model.opset_import if not usual_domain(entry.domain)]
    return versions[-1] if versions else None


def usual_domain(domain: str) -> str:
    """The usual spelling of a domain's name: "" for ai.onnx."""
    return "" if domain == "ai.onnx" else domain
