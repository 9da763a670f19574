"""Sessions on the stand-in for pyACL."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.runtime import acl_calls
from support_acl import FakeAcl, Port
from support_convert import onnx_model

PLAIN = onnx_model("y = Add(x, x)", "float[2,3] x", "float[2,3] y")
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def fake(**changes: object) -> FakeAcl:
    """A device that runs a model of one input x and one output y, both [2, 3]."""
    return replace(FakeAcl([Port("x", [2, 3], 24)], [Port("add:0:y", [2, 3], 24)]), **changes)


def session(
    monkeypatch: pytest.MonkeyPatch, acl: FakeAcl, path: Path, **options: object
) -> converters.InferSession:
    """A session where `acl` is installed."""
    module = acl.module()
    module.__spec__ = acl_calls.importlib.util.spec_from_loader("acl", None)
    monkeypatch.setitem(sys.modules, "acl", module)
    return converters.InferSession(1, path, **options)  # type: ignore[arg-type]
