"""How a rule refuses a node: which one, why, and what the user can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import MaxPoolGradError, quoted

if TYPE_CHECKING:
    import onnx_ir as ir


def subject_of(node: ir.Node) -> str:
    """How every sentence about a node of the forward model begins."""
    return f"{node.op_type} node {quoted(node.name)}"


def unknown_size(node: ir.Node, auto_pad: str) -> MaxPoolGradError:
    """The error for a padding that cannot be known beforehand."""
    return refusal(
        node,
        f"auto_pad {auto_pad} with a stride above 1 needs the input's height and width, and one is unknown",
        "fix it in the model's inputs, or write pads",
    )


def refusal(node: ir.Node, problem: str, cure: str) -> MaxPoolGradError:
    """The error `<op> node '<name>': <problem>; <cure>`."""
    return MaxPoolGradError(f"{subject_of(node)}: {problem}; {cure}")
