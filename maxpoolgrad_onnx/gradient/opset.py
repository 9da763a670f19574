"""The opset of a training step: the forward model's own where it is 13 to 18, else 18."""

from __future__ import annotations

import onnx
import onnx.version_converter

from ..conv_gradients import MIN_OPSET
from ..errors import MaxPoolGradError
from ..model import NEWEST_OPSET


def with_step_opset(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model at an opset from 13 to 18, converted to 18 where it is at another one.

    What rules, losses, optimizers and function bodies write exists and means the same from 13 to 18.
    Raises MaxPoolGradError where onnx.version_converter cannot convert it.
    """
    versions = [entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")]
    if not versions:
        raise MaxPoolGradError("the model imports no version of ai.onnx; add an opset_import, 13 to 18")
    if len(set(versions)) > 1:
        raise MaxPoolGradError(
            f"the model imports ai.onnx twice, at versions {versions}; keep one opset_import of it"
        )
    if MIN_OPSET <= versions[0] <= NEWEST_OPSET:
        return model
    try:
        return onnx.version_converter.convert_version(model, NEWEST_OPSET)
    except Exception as error:  # the converter's C++ exceptions have no common type
        reason = str(error).strip().splitlines()[0]
        raise MaxPoolGradError(
            f"the model imports opset {versions[0]}, and onnx.version_converter cannot bring it to "
            f"{NEWEST_OPSET} ({reason}); export it again with opset {MIN_OPSET} to {NEWEST_OPSET}"
        ) from error
