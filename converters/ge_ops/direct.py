"""Operators that are the same in ONNX and GE but for their names: inputs and outputs in order, no attributes.

One table for both directions.
"""

DIRECT = {
    "Abs": "Abs",
    "Add": "Add",
    "And": "LogicalAnd",
    "Ceil": "Ceil",
    "Equal": "Equal",
    "Erf": "Erf",
    "Exp": "Exp",
    "Floor": "Floor",
    "Greater": "Greater",
    "GreaterOrEqual": "GreaterEqual",
    "HardSwish": "HardSwish",
    "Identity": "Identity",
    "Less": "Less",
    "LessOrEqual": "LessEqual",
    "Log": "Log",
    "Mul": "Mul",
    "Neg": "Neg",
    "Not": "LogicalNot",
    "Or": "LogicalOr",
    "Reciprocal": "Reciprocal",
    "Relu": "Relu",
    "Sigmoid": "Sigmoid",
    "Sign": "Sign",
    "Sqrt": "Sqrt",
    "Sub": "Sub",
    "Tanh": "Tanh",
    "Where": "SelectV2",
}
"""ONNX operator (domain ai.onnx) -> GE operator."""
