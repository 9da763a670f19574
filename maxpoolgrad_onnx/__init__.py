"""The gradient of max pooling, from an ONNX model to an Ascend NPU.

The public names below are imported on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lazy import import_on_first_use

if TYPE_CHECKING:
    from . import reference as reference
    from .checker import Issue as Issue
    from .checker import check as check
    from .contract import DOMAIN as DOMAIN
    from .contract import OP_TYPE as OP_TYPE
    from .contract import OPSET_VERSION as OPSET_VERSION
    from .errors import MaxPoolGradError as MaxPoolGradError
    from .function_body import embed_function as embed_function
    from .gradient import add_training_step as add_training_step
    from .model import make_model as make_model
    from .model import make_node as make_node
    from .native import max_pool_v3 as max_pool_v3
    from .native import max_pool_v3_grad as max_pool_v3_grad
    from .native import output_shape as output_shape
    from .reference_op import ReferenceOp as ReferenceOp
    from .rewrite import rewrite as rewrite
    from .schema import register_schema as register_schema
    from .session import get_library_path as get_library_path
    from .session import inference_session as inference_session
    from .shapes import infer_shapes as infer_shapes

# Public name -> the module that defines it; None where it is a module itself.
_HOMES: dict[str, str | None] = {
    "DOMAIN": "contract",
    "OP_TYPE": "contract",
    "OPSET_VERSION": "contract",
    "Issue": "checker",
    "MaxPoolGradError": "errors",
    "ReferenceOp": "reference_op",
    "add_training_step": "gradient",
    "check": "checker",
    "embed_function": "function_body",
    "get_library_path": "session",
    "infer_shapes": "shapes",
    "inference_session": "session",
    "make_model": "model",
    "make_node": "model",
    "max_pool_v3": "native",
    "max_pool_v3_grad": "native",
    "output_shape": "native",
    "reference": None,
    "register_schema": "schema",
    "rewrite": "rewrite",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  (names of the table above)
__version__ = "0.1.0"

import_on_first_use(__name__, _HOMES)
