"""A forward model whose parameters come from a training."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

import numpy as np
import onnx
from onnx import ModelProto

from maxpoolgrad_onnx.arrays import Array
from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted
from maxpoolgrad_onnx.session import inference_session

from .host_model import host_model
from .tensors import checked_feeds

_OPEN_BATCH = 256


class ForwardModel:
    """A forward model of one input and one output, run with parameters that are given to it."""

    def __init__(self, model: ModelProto | str | os.PathLike[str], parameters: Collection[str]) -> None:
        """Load a model, or an .onnx, .om or .air, to run with these of its initializers replaced.

        Raises MaxPoolGradError where it has several inputs or outputs, or lacks one of the initializers.
        """
        self._name = "the forward model" if isinstance(model, ModelProto) else os.fspath(model)
        host = host_model(model)
        if len(host.inputs) != 1 or len(host.outputs) != 1:
            counts = f"{len(host.inputs)} inputs and {len(host.outputs)} outputs"
            raise MaxPoolGradError(f"{self._name}: it has {counts}; a model with one of each is evaluated")
        self._input = host.inputs[0]
        self._batch = max(self._input.shape[0], 0) if self._input.shape else 0
        self._parameters = frozenset(parameters)
        self._session = inference_session(self._overridable(host.proto, parameters))

    def logits(self, parameters: Mapping[str, Array], examples: Array) -> Array:
        """The output for all examples (first axis), in as many runs as the model's batch asks for.

        Parameters not given keep the model's own values; other names are ignored.
        """
        size = self._batch or _OPEN_BATCH
        given = {name: parameters[name] for name in self._parameters & parameters.keys()}
        parts = []
        for start in range(0, len(examples), size):
            part = examples[start : start + size]
            # A fixed batch that the examples do not fill is filled with the last one, and cut off again.
            filled = part if not self._batch else part[np.minimum(np.arange(size), len(part) - 1)]
            feeds = checked_feeds(self._name, [self._input], {self._input.name: filled})
            (result,) = self._session.run(None, feeds | given)
            parts.append(result[: len(part)])
        return np.concatenate(parts)

    def accuracy(self, parameters: Mapping[str, Array], examples: Array, labels: Array) -> float:
        """The share of examples whose largest logit is that of their label, 0 to 1."""
        return float(np.mean(self.logits(parameters, examples).argmax(axis=1) == labels))

    def _overridable(self, proto: ModelProto, parameters: Collection[str]) -> ModelProto:
        """The model with initializers that are inputs too, which a run may replace."""
        initializers = {tensor.name: tensor for tensor in proto.graph.initializer}
        result = ModelProto()
        result.CopyFrom(proto)
        inputs = {info.name for info in proto.graph.input}
        for name in parameters:
            if name not in initializers:
                raise MaxPoolGradError(
                    f"{self._name}: it has no initializer {quoted(name)}; give the forward model that the "
                    "step was made from"
                )
            tensor = initializers[name]
            if name not in inputs:
                info = onnx.helper.make_tensor_value_info(name, tensor.data_type, tensor.dims)
                result.graph.input.append(info)
        return result
