"""Fixtures of the device's tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.om import to_om
from maxpoolgrad_onnx.converters.runtime import acl_calls
from support_device import PLAIN


@pytest.fixture
def om(tmp_path: Path) -> Path:
    """An .om that says that it was built for a device."""
    model = replace(converters.onnx_to_ge(PLAIN), attrs={"soc_version": "Ascend910B2"})
    to_om(model).save(tmp_path / "device.om")
    return tmp_path / "device.om"


@pytest.fixture
def finalized(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """What would be called at the process's end."""
    registered: list[object] = []
    monkeypatch.setattr(acl_calls.atexit, "register", registered.append)
    yield registered
    acl_calls._CONFIGURED.clear()
