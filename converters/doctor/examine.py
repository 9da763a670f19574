"""The examination, in the order in which things depend on each other."""

from __future__ import annotations

from . import ascend, libraries, npu, package, tools
from .finding import Finding


def examine() -> list[Finding]:
    """Look at everything once. Never raises: what fails is a finding."""
    return [
        tools.python(),
        *libraries.packages(),
        libraries.native_module(),
        libraries.custom_op_library(),
        tools.compiler(),
        *ascend.cann(),
        *ascend.variables(),
        *package.package(),
        npu.npu(),
    ]
