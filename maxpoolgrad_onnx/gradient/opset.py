"""The opset of a training step: the forward model's own where it is 13 to 18, else 18."""

from __future__ import annotations

import onnx
import onnx.helper
import onnx.version_converter

from ..errors import MaxPoolGradError
from ..gradient_functions import MAX_OPSET, MIN_OPSET
from ..nodes import all_nodes
from ..opsets import default_opset, usual_domain
from .soundness import check_nodes


def with_step_opset(model: onnx.ModelProto) -> onnx.ModelProto:
    """A copy of the model at an opset from 13 to 18, converted to 18 where it is at another one.

    What rules, losses, optimizers and function bodies write exists and means the same from 13 to 18.
    Raises MaxPoolGradError where a node is not as its operator has it, or onnx.version_converter cannot
    convert the model.
    """
    version = default_opset(model)
    if version is None:
        raise MaxPoolGradError("the model imports no version of ai.onnx; add an opset_import, 13 to 18")
    copy = _with_one_default_domain(model, version)
    check_nodes(copy)
    if MIN_OPSET <= version <= MAX_OPSET:
        return copy
    try:
        return onnx.version_converter.convert_version(copy, MAX_OPSET)
    except Exception as error:  # the converter's C++ exceptions have no common type
        reason = str(error).strip().splitlines()[0]
        raise MaxPoolGradError(
            f"the model imports opset {version}, and onnx.version_converter cannot bring it to "
            f"{MAX_OPSET} ({reason}); export it again with opset {MIN_OPSET} to {MAX_OPSET}"
        ) from error


def _with_one_default_domain(model: onnx.ModelProto, version: int) -> onnx.ModelProto:
    """A copy that spells the domain "ai.onnx" as "" and imports it once: onnx's tools know that form only."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    others = [entry for entry in model.opset_import if usual_domain(entry.domain)]
    del copy.opset_import[:]
    copy.opset_import.extend([onnx.helper.make_opsetid("", version), *others])
    for node in all_nodes(copy):
        node.domain = usual_domain(node.domain)
    return copy
