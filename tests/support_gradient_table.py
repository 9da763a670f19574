"""docs/gradients.md: `python tests/support_gradient_table.py > docs/gradients.md` writes it anew."""

from __future__ import annotations

import inspect

from maxpoolgrad_onnx.gradient import dropout
from maxpoolgrad_onnx.gradient.rules import RULES

COMMAND = "python tests/support_gradient_table.py > docs/gradients.md"

_HEAD = f"""# Gradients

Written by `{COMMAND}`
from the rules' own words; a test holds it to them.

`maxpoolgrad grad` and `add_training_step` differentiate a forward model node by node. X, W, B, A are a node's
inputs, Y is its output, and dV stands for the gradient of V. An operand that was broadcast gets the sum over
the axes along which it was repeated; a value that is read more than once gets the sum of its readers'
gradients; what needs no gradient costs no node. Operators without a rule are refused with the node's name,
and so are the forms of an operator that its rule does not have.

Models of `ai.onnx` 13 to 18 keep their opset, others are brought to 18.
"""

_DROPOUT = """
## Dropout that trains

"""


def page() -> str:
    """The whole text of docs/gradients.md."""
    by_rule: dict[object, list[str]] = {}
    for op_type, rule in sorted(RULES.items()):
        by_rule.setdefault(rule, []).append(op_type)
    parts = [f"\n## {', '.join(names)}\n\n{inspect.getdoc(rule)}\n" for rule, names in by_rule.items()]
    return _HEAD + "".join(parts) + _DROPOUT + f"{inspect.cleandoc(dropout.__doc__ or '')}\n"


if __name__ == "__main__":
    print(page(), end="")
