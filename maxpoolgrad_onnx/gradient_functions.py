"""The ONNX function bodies of the gradients that GE has and ONNX lacks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import onnx
import onnx.parser

from .batch_norm_gradients import (
    BATCH_NORM_GRAD,
    BATCH_NORM_GRAD_BODY,
    BATCH_NORM_INFERENCE_GRAD,
    BATCH_NORM_INFERENCE_GRAD_BODY,
)
from .contract import DOMAIN
from .conv_gradients import (
    CONV_FILTER_GRAD,
    CONV_FILTER_GRAD_BODY,
    CONV_GRAD,
    CONV_GRAD_BODY,
    CONV_GRAD_WITHOUT_BIAS,
    CONV_GRAD_WITHOUT_BIAS_BODY,
    CONV_INPUT_GRAD,
    CONV_INPUT_GRAD_BODY,
)
from .errors import MaxPoolGradError
from .nodes import all_nodes
from .opsets import default_opset
from .relu_gradient import RELU_GRAD, RELU_GRAD_BODY

# Every operator in the bodies means the same in these versions of ai.onnx. A model and its functions must
# import the same one.
MIN_OPSET = 13
MAX_OPSET = 18

# One that calls others stands behind them.
_BODIES = {
    BATCH_NORM_GRAD: BATCH_NORM_GRAD_BODY,
    BATCH_NORM_INFERENCE_GRAD: BATCH_NORM_INFERENCE_GRAD_BODY,
    CONV_INPUT_GRAD: CONV_INPUT_GRAD_BODY,
    CONV_FILTER_GRAD: CONV_FILTER_GRAD_BODY,
    CONV_GRAD: CONV_GRAD_BODY,
    CONV_GRAD_WITHOUT_BIAS: CONV_GRAD_WITHOUT_BIAS_BODY,
    RELU_GRAD: RELU_GRAD_BODY,
}

GRADIENTS = tuple(_BODIES)
"""The operators, of domain `npu`."""


def gradient_functions(
    op_types: Iterable[str] = GRADIENTS, opset: int = MAX_OPSET
) -> list[onnx.FunctionProto]:
    """The bodies of these operators, for a model that imports ai.onnx `opset`.

    Raises MaxPoolGradError where that is outside 13 to 18.
    """
    names = list(op_types)
    if not MIN_OPSET <= opset <= MAX_OPSET:
        raise MaxPoolGradError(
            f"the model imports opset {opset}; the function bodies of {' and '.join(names)} "
            f"need {MIN_OPSET} to {MAX_OPSET}: convert it with onnx.version_converter"
        )
    return [_parsed(_BODIES[name], opset) for name in names]


def add_gradient_functions(model: onnx.ModelProto) -> None:
    """Give `model`, in place, the bodies of those gradients that it uses and lacks.

    They stand before its other functions, which may call them: not every runtime takes another order.

    Raises MaxPoolGradError where the model uses one and imports an opset outside 13 to 18.
    """
    used = _with_called({node.op_type for node in all_nodes(model) if node.domain == DOMAIN})
    present = {function.name for function in model.functions if function.domain == DOMAIN}
    missing = [name for name in GRADIENTS if name in used - present]
    if missing:
        others = list(model.functions)
        del model.functions[:]
        model.functions.extend([*gradient_functions(missing, default_opset(model) or 0), *others])


def _with_called(used: set[str]) -> set[str]:
    """With those that their bodies call, which call no others."""
    bodies = [_parse_once(_BODIES[name]) for name in used if name in _BODIES]
    return used | {node.op_type for body in bodies for node in body.node if node.domain == DOMAIN}


def _parsed(body: str, opset: int) -> onnx.FunctionProto:
    function = onnx.FunctionProto()
    function.CopyFrom(_parse_once(body))
    for entry in function.opset_import:
        if not entry.domain:
            entry.version = opset
    return function


@cache
def _parse_once(body: str) -> onnx.FunctionProto:
    return onnx.parser.parse_function(body)
