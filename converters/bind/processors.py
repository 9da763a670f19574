"""The processors that a kernel can be planned for where there is none."""

from __future__ import annotations

from maxpoolgrad_onnx import _ascend
from maxpoolgrad_onnx.contract import check_soc_version
from maxpoolgrad_onnx.errors import MaxPoolGradError


def check_processor(soc_version: str) -> None:
    """Raise MaxPoolGradError (EZ3003) for a product without the operator, or an unknown processor."""
    check_soc_version(soc_version)
    if soc_version not in _ascend.SOC_VERSIONS:
        raise MaxPoolGradError(
            f"soc_version {soc_version!r} is not known here, nor how many cores it has; known are "
            f"{', '.join(_ascend.SOC_VERSIONS)}",
            code="EZ3003",
        )


def vector_cores(soc_version: str) -> int:
    """How many vector cores a processor has. Raises MaxPoolGradError as check_processor does."""
    check_processor(soc_version)
    return _ascend.vector_cores(soc_version)
