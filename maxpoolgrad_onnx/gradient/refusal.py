"""How a rule refuses a node: which one, why, and what the user can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import MaxPoolGradError

if TYPE_CHECKING:
    import onnx_ir as ir


def subject_of(node: ir.Node) -> str:
    """How every sentence about a node of the forward model begins."""
    return f"{node.op_type} node '{node.name}'"


def refusal(node: ir.Node, problem: str, cure: str) -> MaxPoolGradError:
    """The error `<op> node '<name>': <problem>; <cure>`."""
    return MaxPoolGradError(f"{subject_of(node)}: {problem}; {cure}")
