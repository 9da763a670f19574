"""The Python packages that are needed or of use, and the package's own two libraries."""

from __future__ import annotations

import re
from importlib import metadata

from maxpoolgrad_onnx.errors import one_line

from .finding import Finding

_DISTRIBUTION = "maxpoolgrad"
# What the optional ones are for.
_OPTIONAL = {
    "matplotlib": "`maxpoolgrad demo` draws no curves",
    "scikit-learn": "`maxpoolgrad demo` has no images",
    "torch": "tests against PyTorch's gradients cannot run",
}


def packages() -> list[Finding]:
    """One finding a package: the required ones with their oldest version, then the optional ones."""
    findings = []
    for requirement in metadata.requires(_DISTRIBUTION) or []:
        if "extra ==" not in requirement:
            name, oldest = _split(requirement)
            findings.append(_required(name, oldest))
    return findings + [_optional(name, cost) for name, cost in _OPTIONAL.items()]


def native_module() -> Finding:
    """The compiled module with the operator's contract and kernel."""
    try:
        import numpy as np

        from maxpoolgrad_onnx import max_pool_v3_grad

        one = np.ones((1, 1, 1, 1), np.float32)
        max_pool_v3_grad(one, one, one, ksize=(1, 1, 1, 1), strides=(1, 1, 1, 1))
    except Exception as error:
        return _broken_build("native module", error)
    return Finding("native module", "ok", "loads and computes")


def custom_op_library() -> Finding:
    """The library that ONNX Runtime loads to run the operator."""
    try:
        from onnxruntime import SessionOptions

        from maxpoolgrad_onnx import get_library_path

        path = get_library_path()
        SessionOptions().register_custom_ops_library(str(path))
    except Exception as error:
        return _broken_build("ONNX Runtime library", error)
    return Finding("ONNX Runtime library", "ok", str(path))


def _required(name: str, oldest: str) -> Finding:
    version = _version(name)
    if version and _numbers(version) >= _numbers(oldest):
        return Finding(name, "ok", version)
    cost = f"the package needs {oldest} or newer"
    return Finding(name, "broken", version or "not installed", cost, f"pip install '{name}>={oldest}'")


def _optional(name: str, cost: str) -> Finding:
    version = _version(name)
    if version:
        return Finding(name, "ok", version)
    return Finding(name, "absent", "not installed", cost, f"pip install {name}")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _broken_build(what: str, error: Exception) -> Finding:
    cost = "nothing that computes the operator works"
    cure = "pip install --force-reinstall ., in the folder of the sources"
    return Finding(what, "broken", one_line(str(error)), cost, cure)


def _split(requirement: str) -> tuple[str, str]:
    """A requirement `name>=version` as its two parts; "0" where it names no oldest version."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    oldest = re.search(r">=\s*([0-9.]+)", requirement)
    return name.group() if name else requirement, oldest.group(1) if oldest else "0"


def _numbers(version: str) -> tuple[int, ...]:
    """The release numbers in front of a version, for comparing."""
    release = re.match(r"[0-9]+(\.[0-9]+)*", version)
    return tuple(int(part) for part in release.group().split(".")) if release else ()
