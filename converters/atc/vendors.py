"""Operator packages in CANN: where CANN looks for them, and which of them has our plugin."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from maxpoolgrad_onnx.contract import DOMAIN, OP_TYPE, OPSET_VERSION

KEY = f"{DOMAIN}::{OPSET_VERSION}::{OP_TYPE}"
"""What CANN's ONNX parser looks up for the operator's node."""

CUSTOM_OPP_PATH = "ASCEND_CUSTOM_OPP_PATH"
OPP_PATH = "ASCEND_OPP_PATH"


def vendors(environment: Mapping[str, str]) -> Iterator[Path]:
    """The vendors' folders in the order in which CANN asks them."""
    for path in environment.get(CUSTOM_OPP_PATH, "").split(os.pathsep):
        if path:
            yield Path(path)
    opp = environment.get(OPP_PATH)
    if opp:
        folder = Path(opp) / "vendors"
        try:
            first = (folder / "config.ini").read_text(errors="replace").splitlines()[0]
        except (OSError, IndexError):
            return
        for name in first.partition("=")[2].split(","):
            if name.strip():
                yield folder / name.strip()


def plugin_of(vendor: Path) -> Path | None:
    """The vendor's library that has the operator's key."""
    for path in sorted((vendor / "framework").rglob("*.so")):
        try:
            if KEY.encode() in path.read_bytes():
                return path
        except OSError:
            continue
    return None
