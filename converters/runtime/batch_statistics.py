"""Running statistics of batch normalisation, which ONNX Runtime writes over those that it is given."""

from __future__ import annotations

from onnx import ModelProto, NodeProto, helper


def with_own_statistics(model: ModelProto) -> ModelProto:
    """A model whose BatchNormalization nodes change nothing that they are given.

    In training ONNX Runtime gives running_mean and running_var the memory of input_mean and input_var: the
    caller's arrays, the model's constants, and whatever constants equal these, such as a scale of ones.
    Outputs of the model have memory of their own, so the result has these as further outputs, behind its own.
    """
    given = {output.name for output in model.graph.output}
    names = [name for node in model.graph.node for name in _statistics(node) if name not in given]
    if not names:
        return model
    result = ModelProto()
    result.CopyFrom(model)
    result.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    return result


def _statistics(node: NodeProto) -> list[str]:
    """The running statistics that a node gives: inference has none."""
    return [name for name in node.output[1:3] if name] if node.op_type == "BatchNormalization" else []
