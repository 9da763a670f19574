"""com.microsoft::MaxPoolGrad, which ONNX Runtime's training graphs end in."""

from __future__ import annotations

import onnx_ir as ir

from ..gradient.refusal import refusal
from .pool import Replacement, gradient_of

_GEOMETRY = {
    "kernel_shape": (),
    "strides": (1, 1),
    "pads": (0, 0, 0, 0),
    "dilations": (1, 1),
}


def max_pool_grad(node: ir.Node) -> Replacement | None:
    """Y, I = MaxPool(X); dX = MaxPoolGrad(dY, I)  ->  dX = MaxPoolV3Grad(X, Y, dY).

    Refused: indices that no MaxPool in the model gives, and attributes that are not those of that MaxPool.
    """
    if (node.domain, node.op_type) != ("com.microsoft", "MaxPoolGrad"):
        return None
    gradient, indices = (*node.inputs, None, None)[:2]
    pool = indices.producer() if indices is not None else None
    if gradient is None or pool is None or pool.op_type != "MaxPool" or pool.domain:
        raise refusal(
            node,
            "its indices come from no MaxPool of the model",
            "rewrite forward and backward pass together",
        )
    for name, default in _GEOMETRY.items():
        theirs, own = (tuple(of.attributes.get_ints(name, default)) for of in (pool, node))
        if theirs != own and name in node.attributes:
            raise refusal(
                node, f"its {name} is {list(own)}, and that of its MaxPool {list(theirs)}", "make them equal"
            )
    return gradient_of(pool, gradient, node.outputs[0])
