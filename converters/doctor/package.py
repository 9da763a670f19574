"""The operator's package in CANN: its ONNX plugin, whether that loads, and who stands before it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from maxpoolgrad_onnx.contract import OP_TYPE
from maxpoolgrad_onnx.errors import one_line

from ..atc.cann import find_cann
from ..atc.vendors import KEY, plugin_of, vendors
from .finding import Finding

_KERNEL = "max_pool_v3_grad"
_INSTALL = "maxpoolgrad plugin build && maxpoolgrad plugin install --path FOLDER, and source what it names"

# What a plugin takes its symbols from, in the order in which they need each other.
_CANN_LIBRARIES = ("libgraph_base.so", "libgraph.so", "libregister.so")
_LOAD = """
import ctypes, os, sys
for path in sys.argv[1:-1]:
    ctypes.CDLL(path, ctypes.RTLD_GLOBAL | os.RTLD_LAZY)
ctypes.CDLL(sys.argv[-1], os.RTLD_NOW)
"""


def package() -> list[Finding]:
    """The ONNX plugin that CANN will take, and what stands in its way."""
    asked = list(vendors(os.environ))
    found = next(((vendor, path) for vendor in asked if (path := plugin_of(vendor))), None)
    if found is None:
        cost = f"atc has no parser for {KEY} (E16002)"
        return [Finding("ONNX plugin", "absent", "not installed", cost, _INSTALL)]
    vendor, plugin = found
    return [_loaded(plugin), *_shadows(asked[: asked.index(vendor)], vendor), *_libraries(vendor)]


def _loaded(plugin: Path) -> Finding:
    """CANN only warns in its log where a plugin does not load; so load it as CANN does, in a process of its
    own."""
    found = find_cann()
    home = found.home if found else None
    if home is None:
        return Finding("ONNX plugin", "ok", f"{plugin} (whether it loads is not known without CANN)")
    places = [home / "lib64", home / "compiler" / "lib64"]
    libraries = [path for name in _CANN_LIBRARIES for path in _first(places, name)]
    command = [sys.executable, "-c", _LOAD, *map(str, libraries), str(plugin)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, errors="backslashreplace")
    if done.returncode == 0:
        return Finding("ONNX plugin", "ok", f"{plugin} (loads)")
    reason = one_line(done.stderr.strip().rpartition("\n")[2]) or f"ended with {done.returncode}"
    cost = f"atc has no parser for {KEY} (E16002), and says why in its log only"
    return Finding("ONNX plugin", "absent", f"{plugin} does not load: {reason}", cost, _INSTALL)


def _first(places: list[Path], name: str) -> list[Path]:
    return [place / name for place in places if (place / name).is_file()][:1]


def _shadows(before: list[Path], ours: Path) -> list[Finding]:
    """Vendors that CANN asks first, and that have the operator, too."""
    return [
        Finding(
            "vendors' order",
            "absent",
            f"{vendor} comes before {ours} and has {OP_TYPE}, too",
            "its kernel or inference is taken instead of this project's",
            f"source {ours}/bin/set_env.bash last, or install into CANN again: the last one comes first",
        )
        for vendor in before
        if any(vendor.rglob(f"{_KERNEL}*"))
    ]


def _libraries(vendor: Path) -> list[Finding]:
    """Whether programs find aclnnMaxPoolV3Grad; a package without kernels has none."""
    folder = vendor / "op_api" / "lib"
    on_path = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    if not folder.is_dir() or any(path and Path(path) == folder for path in on_path):
        return []
    cost = f"programs that call aclnn{OP_TYPE} do not find it"
    cure = f"source {vendor}/bin/set_env.bash"
    return [Finding("LD_LIBRARY_PATH", "absent", f"has no {folder}", cost, cure)]
