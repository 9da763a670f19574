"""Which operators a precision mode lowers."""

from __future__ import annotations

import enum

from maxpoolgrad_onnx.contract import OP_TYPE

from ..ge_ops.prototypes import PROTOTYPES

_MATRIX = frozenset(
    {
        "BatchMatMulV2",
        "Conv2D",
        "Conv2DBackpropFilter",
        "Conv2DBackpropInput",
        "Conv2DTranspose",
        "GEMM",
        "MatMulV2",
    }
)
# A pool and its gradient are lowered together: the gradient looks for orig_output in orig_input.
_POOLS = frozenset({"MaxPoolV3", OP_TYPE})
# Their types are what the model says of its inputs, weights, outputs and casts.
_GIVEN = frozenset({"Cast", "Const", "Constant", "Data", "NetOutput", "RefData"})
# ONNX or its runtime lacks these in float16.
_NOT_ON_THE_HOST = frozenset({"Range", "ScatterElements"})


class Precision(enum.Enum):
    """How element types are chosen.

    ORIGIN keeps every type of the model. MIXED lowers matrix products, convolutions and max pools. FP16
    lowers every operator that the host runs in float16 too, on the ports that take it.
    """

    ORIGIN = "origin"
    MIXED = "mixed_float16"
    FP16 = "fp16"

    def lowers(self, type_: str) -> bool:
        """Whether operators of this type get float16 instead of float32."""
        match self:
            case Precision.ORIGIN:
                return False
            case Precision.MIXED:
                return type_ in _MATRIX | _POOLS
            case Precision.FP16:
                return type_ in PROTOTYPES and type_ not in _GIVEN | _NOT_ON_THE_HOST
