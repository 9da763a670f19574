"""The operator for onnx's reference evaluator: the contract's refusals, computed by the NumPy oracle."""

from __future__ import annotations

from typing import Any

from onnx.reference.op_run import OpRun

from .contract import (
    DOMAIN,
    OP_TYPE,
    OP_TYPE_ALIAS,
    PoolAttributes,
    check_dtypes,
    check_shapes,
    node_subject,
)
from .reference import Array, max_pool_v3_grad


class ReferenceOp(OpRun):
    """npu::MaxPoolV3Grad, for `onnx.reference.ReferenceEvaluator(model, new_ops=[ReferenceOp])`.

    Running a node raises MaxPoolGradError for what the operator refuses.
    """

    op_domain = DOMAIN

    def _run(self, orig_input: Array, orig_output: Array, grad: Array, **attributes: Any) -> tuple[Array]:
        subject = node_subject(self.onnx_node.name)
        pool = PoolAttributes.make(subject, attributes)
        arrays = orig_input, orig_output, grad
        check_dtypes(subject, *(array.dtype.name for array in arrays))
        check_shapes(subject, pool, *(array.shape for array in arrays))
        return (max_pool_v3_grad(*arrays, **pool.as_dict()),)


class ReferenceOpAlias(ReferenceOp):
    """The same under the operator's other spelling, npu::NPUMaxPoolV3Grad."""


# The evaluator finds an implementation by its class's name.
ReferenceOp.__name__ = OP_TYPE
ReferenceOpAlias.__name__ = OP_TYPE_ALIAS
